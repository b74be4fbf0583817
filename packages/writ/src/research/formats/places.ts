import { languageOf } from "../sources/texts.ts";

/** Languages and countries by the names that bibliographic files give them. */

const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(97 + at));
const pairs = letters.flatMap((first) => letters.map((second) => first + second));

/** Names in English to two-letter codes; the first code of a name counts, so that retired ones do not. */
function byName(type: "language" | "region", given: Readonly<Record<string, string>>): Map<string, string> {
  const names = new Intl.DisplayNames("en", { type, fallback: "none" });
  const codes = new Map(Object.entries(given));
  for (const pair of pairs) {
    const code = type === "region" ? pair.toUpperCase() : pair;
    const name = names.of(code)?.toLowerCase();
    if (name !== undefined && !codes.has(name)) codes.set(name, code);
  }
  return codes;
}

// What the indexes call what the world calls otherwise.
const otherCountries = {
  usa: "US",
  "united states of america": "US",
  england: "GB",
  scotland: "GB",
  wales: "GB",
  "north ireland": "GB",
  "northern ireland": "GB",
  uk: "GB",
  "peoples r china": "CN",
  "p.r. china": "CN",
  "south korea": "KR",
  "republic of korea": "KR",
  "russian federation": "RU",
  turkey: "TR",
  "czech republic": "CZ",
  "viet nam": "VN",
  "u arab emirates": "AE",
  "bosnia & herceg": "BA",
  "hong kong": "HK",
  macau: "MO",
  palestine: "PS",
  macedonia: "MK",
  "trinidad tobago": "TT",
};

let countries: Map<string, string> | undefined;
let languages: Map<string, string> | undefined;

/** Two letters for the name of a country, or null. American addresses end in a state and a code. */
export function countryOf(name: string): string | null {
  const text = name.trim().replace(/\.$/, "").toLowerCase();
  countries ??= byName("region", otherCountries);
  return countries.get(text) ?? (/\busa$/.test(text) ? "US" : null);
}

/** The first subtag for a tag, a three-letter code or an English name; what is none of these as it is written. */
export function languageFrom(text: string | null | undefined): string | null {
  const tag = languageOf(text?.trim() ?? null);
  if (tag === null || tag.length === 2) return tag;
  languages ??= byName("language", { mandarin: "zh", castilian: "es", flemish: "nl", german: "de" });
  const named = languages.get((text ?? "").trim().toLowerCase());
  if (named !== undefined || !/^[a-z]{3}$/.test(tag)) return named ?? tag;
  const canonical = Intl.getCanonicalLocales(tag)[0] ?? tag;
  const name = new Intl.DisplayNames("en", { type: "language", fallback: "none" }).of(canonical);
  return languages.get(name?.toLowerCase() ?? "") ?? canonical;
}

const institution =
  /univ|instit|hosp|school|colleg|cent(?:er|re)|laborator|academ|clinic|council|minist|facult|foundation/i;

/** The institution and the country in an address written as `Dept, Institution, Town, Country`. */
export function addressOf(address: string): { name: string; country: string | null } | undefined {
  const parts = address
    .replaceAll(/\S+@\S+/g, "")
    .replace(/electronic address:.*$/i, "")
    .split(",")
    .map((part) => part.trim().replace(/[.;]+$/, ""))
    .filter((part) => part !== "");
  const last = parts.at(-1);
  if (last === undefined) return undefined;
  const name = parts.find((part) => institution.test(part) && !/^dep/i.test(part)) ?? parts[0] ?? last;
  return { name, country: countryOf(last) };
}
