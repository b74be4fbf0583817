import { expect, test } from "vitest";
import { sources } from "./source.ts";

/** The files in which a text matches. */
const filesWith = (pattern: string, text: RegExp): string[] =>
  sources(pattern)
    .filter((source) => text.test(source.text))
    .map(({ file }) => file);

test("folders are made with makeFolder: Node's own recursive way never ends below /proc", () => {
  expect(filesWith("**/*.ts", /\bmkdir(Sync)?\([^;]*recursive: true/)).toEqual([]);
});

test("what lies in a workspace is read in a way that refuses pipes and devices", () => {
  const reads = /\b(readFile|readFileSync|createReadStream)\b[^;]*from "node:fs/;
  const found = ["workspace/**/*.ts", "reasoning/**/*.ts"].flatMap((pattern) => filesWith(pattern, reads));
  expect(found.toSorted()).toEqual([
    "reasoning/check/coupling.ts",
    // Looks at what a file is before it opens one.
    "reasoning/store/read-records.ts",
    "reasoning/surface/guide.ts",
    "workspace/init/built-in-templates.ts",
    "workspace/shipped/guides.ts",
    // A clone that git has just made.
    "workspace/sources/cache-clone.ts",
  ]);
});
