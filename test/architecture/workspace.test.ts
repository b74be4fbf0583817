import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { isNode, type Source, sources } from "./source.ts";

const files = new Map(sources("workspace/**/*.ts").map((source) => [source.file, source]));

/** What a file imports when it runs; types are gone by then. */
function importsOf({ tree }: Source): string[] {
  return (tree.body as unknown[]).flatMap((node) => {
    if (!isNode(node) || !isNode(node.source) || node.importKind === "type") return [];
    return [String(node.source.value)];
  });
}

/** A file of this part and all that it imports of this part. */
function reachedFrom(file: string, seen = new Set<string>()): Set<string> {
  const source = files.get(file);
  if (!source || seen.has(file)) return seen;
  seen.add(file);
  for (const target of importsOf(source))
    if (target.startsWith(".")) reachedFrom(join(dirname(file), target), seen);
  return seen;
}

test.each(["compose/layers.ts", "compose/context.ts", "compose/threeway.ts"])(
  "WS-3: %s stands where it is looked for and touches nothing but its input",
  (name) => {
    const reached = [...reachedFrom(`workspace/${name}`)];
    expect(reached.length).toBeGreaterThan(0);
    const machine = reached.flatMap((file) =>
      importsOf(files.get(file) as Source)
        .filter((target) => /^node:(?!(path|path[/]posix|crypto|buffer)$)/.test(target))
        .map((target) => `${file} imports ${target}`),
    );
    expect(machine).toEqual([]);
  },
);

test("WS-3: a file that touches the machine would be seen", () => {
  expect(
    [...reachedFrom("workspace/swap/disk.ts")].flatMap((file) => importsOf(files.get(file) as Source)),
  ).toEqual(expect.arrayContaining([expect.stringMatching(/^node:fs/)]));
});

test("WS-138: each of its measurements is a bench", () => {
  const folder = join(import.meta.dirname, "../../bench/workspace");
  const named = globSync("*.bench.ts", { cwd: folder }).map((name) => name.replace(".bench.ts", ""));
  expect(named.toSorted()).toEqual(["cold", "compose", "noop", "parallel", "status", "warm"]);
});
