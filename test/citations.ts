import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const one = "(?:CT|WS|RN|AG|KN|RS|RL)-\\d+";
// A title names its rules first, then a colon, then the behaviour.
const title = new RegExp(`["'\`](${one}(?:(?:, | and )${one})*):`, "g");
const proven = /\bproves\(\s*(\[[^\]]*\]|"[^"]*")/g;
const id = new RegExp(one, "g");

/** The ids that the test titles of one source text begin with. */
export function idsIn(source: string): string[] {
  const titles = [...source.matchAll(title)].map((match) => match[1] ?? "");
  const named = [...source.matchAll(proven)].map((match) => match[1] ?? "");
  return [...titles, ...named].flatMap((text) => text.match(id) ?? []);
}

/** Every rule id that a test title cites, with the files that cite it. */
export async function citations(): Promise<Map<string, string[]>> {
  const cited = new Map<string, string[]>();
  const files = globSync(["packages/writ/src/**/*.test.ts", "test/**/*.ts"], { cwd: root });
  for (const file of files.toSorted()) {
    for (const rule of new Set(idsIn(await readFile(join(root, file), "utf8")))) {
      cited.set(rule, [...(cited.get(rule) ?? []), file]);
    }
  }
  return cited;
}
