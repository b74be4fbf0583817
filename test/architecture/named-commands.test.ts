import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commands } from "../../packages/writ/src/generated/commands.ts";

const known = commands.map((command) => command.path.join(" "));
// By itself a group prints its help.
const groups = new Set(
  commands.flatMap(({ path }) => path.slice(1).map((_, at) => path.slice(0, at + 1).join(" "))),
);

// Named where an error says that this version does not have it yet, and what the program itself answers.
const announced = ["writ scaffold stack", "writ help"];

/** Commands that a text names and the program does not have. */
function unknownIn(text: string): string[] {
  const named = text.matchAll(/(?<![\w/@.-])writ((?: [a-z][a-z-]*){1,3})/g);
  return [...named].flatMap(([, words = ""]) => {
    const path = words.trim().split(" ");
    const begin = (length: number) => path.slice(0, length).join(" ");
    if (path.some((_, at) => known.includes(begin(at + 1)) || announced.includes(`writ ${begin(at + 1)}`)))
      return [];
    // The longest group it begins with; the word after it, if any, is one the group does not have.
    const group = path.findLastIndex((_, at) => groups.has(begin(at + 1))) + 1;
    return group === path.length ? [] : [`writ ${begin(group + 1)}`];
  });
}

/** Source without its comments, which speak to us and not to the user. */
function withoutComments(text: string): string {
  return text.replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, "");
}

test("CT-6: every command that an error, a hint, a guide or a page names is one that exists", () => {
  const sources = globSync("packages/*/src/**/*.{ts,tsx}").filter(
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
  expect(unknownIn("Run: writ research curate acept --ids x")).toEqual(["writ research curate acept"]);
  const good = "See writ token, writ research curate, writ research read top -n 5, writ bootstrap --update.";
  expect(unknownIn(good)).toEqual([]);
});
