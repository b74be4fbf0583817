import type { Source } from "../port.ts";
import { fields, number } from "../json.ts";
import { isStaleToken, keyless, planOpenAlex, probe } from "./plan.ts";
import { readOpenAlex } from "./read.ts";

const page = 100;

/** OpenAlex: a catalogue of everything, which evaluates Boolean searches and knows who cites whom. */
export const openAlex: Source = {
  id: "openalex",
  name: "OpenAlex",
  can: { search: "boolean", byId: true, byDoi: true, citers: true, since: true, abstracts: "most" },
  base: { url: "https://api.openalex.org", env: "WRIT_OPENALEX_URL" },
  credential: {
    name: "OPENALEX_API_KEY",
    header: (secret) => ["authorization", `Bearer ${secret}`],
    about:
      "a free key from https://openalex.org/settings/api allows searches of any length and a larger daily budget",
  },
  contact: { query: "mailto" },
  pace: { series: 5, interval: 0.01 },
  headers: [
    "x-openalex-api-version",
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-credits-used",
    "x-ratelimit-reset",
    "x-ratelimit-limit-usd",
    "x-ratelimit-remaining-usd",
    "x-ratelimit-cost-usd",
  ],
  prices: { search: 0.001, list: 0.0001, single: 0 },
  plan: planOpenAlex,
  read: readOpenAlex,
  cost({ headers, body }) {
    const costUsd = number(headers["x-ratelimit-cost-usd"]) ?? number(fields(fields(body).meta).cost_usd);
    const credits = number(headers["x-ratelimit-credits-used"]);
    const remainingUsd = number(headers["x-ratelimit-remaining-usd"]);
    const remainingCredits = number(headers["x-ratelimit-remaining"]);
    const resetsInSeconds = number(headers["x-ratelimit-reset"]);
    const leftShare =
      share(remainingUsd, headers["x-ratelimit-limit-usd"]) ??
      share(remainingCredits, headers["x-ratelimit-limit"]);
    return {
      ...(costUsd !== undefined && { costUsd }),
      ...(credits !== undefined && { credits }),
      ...(remainingUsd !== undefined && { remainingUsd }),
      ...(remainingCredits !== undefined && { remainingCredits }),
      ...(resetsInSeconds !== undefined && { resetsInSeconds }),
      ...(leftShare !== undefined && { leftShare }),
    };
  },
  version: ({ headers, at }) => headers["x-openalex-api-version"] ?? at.toISOString(),
  probe,
  pages: (works) => Math.ceil(works / page),
  keyless,
  isStaleToken,
};

function share(left: number | undefined, whole: string | undefined): number | undefined {
  const limit = number(whole);
  return left === undefined || limit === undefined || limit <= 0 ? undefined : left / limit;
}
