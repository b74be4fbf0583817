import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commands } from "../../packages/writ/src/generated/commands.ts";

const known = commands.map((command) => command.path.join(" "));
const groups = new Set(
  commands.filter((command) => command.path.length > 1).map((command) => command.path[0]),
);

// Named where an error says that this version does not have it yet.
const announced = ["writ scaffold stack"];

/** Commands that a text names and the program does not have. */
function unknownIn(text: string): string[] {
  const named = [...text.matchAll(/(?<![\w/@.-])writ ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/g)];
  return named.flatMap(([whole, first = "", second]) => {
    if (known.includes(first) || known.includes(`${first} ${second}`)) return [];
    if (announced.includes(whole)) return [];
    // A group by itself prints its help.
    return groups.has(first) && second === undefined ? [] : [whole];
  });
}

/** Source without its comments, which speak to us and not to the user. */
function withoutComments(text: string): string {
  return text.replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, "");
}

test("CT-6: every command that an error, a hint, a guide or a page names is one that exists", () => {
  const sources = globSync("packages/writ/src/**/*.ts").filter(
    (file) => !/\.(test|fixture)\.ts$|generated/.test(file),
  );
  const texts = globSync("{packages/writ/{guides,skills,templates}/**/*.{md,yml},docs/**/*.md,*.md}");
  expect(sources.length).toBeGreaterThan(200);
  const found = [
    ...sources.flatMap((file) =>
      unknownIn(withoutComments(readFileSync(file, "utf8"))).map((name) => `${file}: ${name}`),
    ),
    ...texts.flatMap((file) => unknownIn(readFileSync(file, "utf8")).map((name) => `${file}: ${name}`)),
  ];
  expect(found).toEqual([]);
});

test("CT-6: the scan itself sees a command that does not exist", () => {
  expect(unknownIn("Run: writ promote FILE, then `writ token crate`.")).toEqual([
    "writ promote",
    "writ token crate",
  ]);
  expect(unknownIn("See writ token, writ bootstrap --update and writ ledger list.")).toEqual([]);
});
