import { cleanText, oneLined } from "../records/clean.ts";
import { AdvisorFailure } from "./adapter.ts";

const errorLine =
  /^\W*(?:[\w.-]*error|fatal|failed|failure)\b|\b(?:http|status|code)\b[^\n]{0,20}?\b[45]\d\d\b/i;

const phrases = [
  [
    "auth_failed",
    /\b(?:not logged in|please log in|unauthorized|invalid api key|authentication (?:failed|required))\b/i,
  ],
  ["rate_limited", /\b(?:rate limit(?:ed)?|too many requests|status 429)\b/i],
  ["quota_exhausted", /\b(?:quota exceeded|out of credits|spend limit)\b/i],
] as const;

/** What a program meant that ended with another code than zero: whole phrases on a line that is an error. */
export function exitFailure(code: number | null, stderr: string): AdvisorFailure {
  const lines = cleanText(stderr)
    .split("\n")
    .map(oneLined)
    .filter((line) => line !== "");
  for (const [status, phrase] of phrases) {
    if (lines.some((line) => errorLine.test(line) && phrase.test(line)))
      return new AdvisorFailure(status, `it ended with ${code ?? "a signal"}`);
  }
  const last = lines.at(-1)?.slice(0, 160);
  return new AdvisorFailure(
    "error",
    `it ended with ${code ?? "a signal"}${last === undefined ? "" : `: ${last}`}`,
  );
}
