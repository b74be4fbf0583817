import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { composeIgnore, ignoreLine, type IgnoreBlock } from "./gitignore.ts";

function compose(existing: string | null, paths: string[] = []): IgnoreBlock & { text: string } {
  const composed = composeIgnore(existing === null ? null : Buffer.from(existing), paths);
  if ("damage" in composed) throw new Error(composed.damage.problems.join());
  return { ...composed, text: composed.bytes.toString() };
}

const block =
  "# >>> writ\n/.agents/\n/.stack/\n/.writ/\n/CLAUDE.local.md\n/WORKSPACE_PRIVATE.md\n# <<< writ\n";

describe("WS-110: the block in .gitignore", () => {
  test("a missing file is made, its lines sorted and each once", () => {
    expect(compose(null).text).toBe(block);
    expect(compose(null, ["api/", "CLAUDE.md", "api/"]).text).toBe(
      block.replace("/CLAUDE.local.md\n", "/CLAUDE.local.md\n/CLAUDE.md\n").replace("# <<<", "/api/\n# <<<"),
    );
  });

  test.each([
    ["nothing", "", ""],
    ["lines", "node_modules\n", "\n"],
    ["no final newline", "node_modules", "\n\n"],
    ["a blank last line", "node_modules\n\n", ""],
  ])("it follows %s", (_, text, gap) => {
    expect(compose(text).text).toBe(`${text}${gap}${block}`);
  });

  test("only the lines between the markers are replaced, in the file's own line endings", () => {
    const text = "a\r\n# >>> writ\r\n/old\r\n# <<< writ\r\nb";
    expect(compose(text).text).toBe(`a\r\n${block.replaceAll("\n", "\r\n")}b`);
    expect(compose(text).local).not.toBe(compose(text).next);
  });

  test("an equal block leaves the file as it is, also with CRLF", () => {
    const text = `x\r\n${block.replaceAll("\n", "\r\n")}`;
    expect(compose(text)).toMatchObject({ changed: false, text });
  });

  test.each([
    ["no end", "# >>> writ\n/a\n", ["# <<< writ"], 0],
    ["no start", "/a\n# <<< writ\n", ["# >>> writ"], 0],
    ["two blocks", block + block, [], 2],
    ["turned round", "# <<< writ\n# >>> writ\n", [], 1],
  ])("damage: %s", (...[, text, missing, problems]) => {
    const composed = composeIgnore(Buffer.from(text), []);
    if (!("damage" in composed)) throw new Error("it was taken as right");
    expect(composed.damage).toMatchObject({ file: ".gitignore", missing });
    expect(composed.damage.problems).toHaveLength(problems);
    expect(composed.damage.markers.length).toBeGreaterThan(0);
  });

  test("a path ignores itself and nothing else", () => {
    expect(ignoreLine("a[1]*?.md")).toBe("/a\\[1\\]\\*\\?.md");
    expect(ignoreLine("!x ")).toBe("/!x\\ ");
  });

  test("whatever stands there, text outside the block stays and a second run changes nothing", () => {
    const line = fc.constantFrom("a", "", "# >>> writing", "/.agents/", "é", "\r");
    fc.assert(
      fc.property(fc.array(line), fc.boolean(), (lines, ended) => {
        const text = lines.join("\n") + (ended ? "\n" : "");
        const once = compose(text, ["x"]);
        expect(once.text.startsWith(text)).toBe(true);
        expect(compose(once.text, ["x"]).changed).toBe(false);
        const moved = compose(`${once.text}tail`, ["y"]);
        expect(moved.text).toBe(`${once.text.replace("/x\n", "/y\n").replace("/x\r\n", "/y\r\n")}tail`);
      }),
    );
  });
});
