import { describe, expect, test } from "vitest";
import type { NativeFormat } from "./clients.ts";
import { indexOf, type IndexEntry } from "./index-entries.ts";
import { layer } from "./layers.fixture.ts";
import { composeLayers } from "./layers.ts";
import { planNativeRules, renderNativeRule } from "./native-rules.ts";

const rulesOf = (texts: Record<string, string>) =>
  indexOf(composeLayers([layer("core", texts)], { agents: true }).shared).rules;

function render(format: NativeFormat, text: string): string {
  const [rule] = rulesOf({ "rules/r.md": text });
  return renderNativeRule({ format, rule: rule as IndexEntry }, Buffer.from(text)).toString();
}

const always = "---\ntrigger: always_on\ndescription: Say why\n---\nBody  \r\nno newline";
const glob = "---\ntrigger: glob\ndescription: 'Tests: \"all\"'\nglobs: [src/**, '*.ts']\n---\nBody\n";
const decided = "---\ntrigger: model_decision\ndescription: When asked\n---\nBody\n";

describe("WS-83: native rule files", () => {
  test.each<[string, NativeFormat, string, string]>([
    [
      "Cursor, always on",
      "cursor-rules-dir",
      always,
      '---\ndescription: "Say why"\nglobs:\nalwaysApply: true\n---\n',
    ],
    [
      "Cursor, by globs",
      "cursor-rules-dir",
      glob,
      '---\ndescription: "Tests: \\"all\\""\nglobs: src/**,*.ts\nalwaysApply: false\n---\n',
    ],
    [
      "Cursor, by decision",
      "cursor-rules-dir",
      decided,
      '---\ndescription: "When asked"\nglobs:\nalwaysApply: false\n---\n',
    ],
    ["Claude, always on", "claude-rules-dir", always, ""],
    ["Claude, by globs", "claude-rules-dir", glob, '---\npaths:\n  - "src/**"\n  - "*.ts"\n---\n'],
    ["Claude, globs that match everything", "claude-rules-dir", glob.replace("src/**", "'**'"), ""],
    [
      "Copilot, always on",
      "copilot-instructions-dir",
      always,
      '---\napplyTo: "**"\ndescription: "Say why"\n---\n',
    ],
    [
      "Copilot, by globs",
      "copilot-instructions-dir",
      glob,
      '---\napplyTo: "src/**,*.ts"\ndescription: "Tests: \\"all\\""\n---\n',
    ],
    ["Copilot, by decision", "copilot-instructions-dir", decided, '---\ndescription: "When asked"\n---\n'],
    [
      "Windsurf, always on",
      "windsurf-rules-dir",
      always,
      '---\ntrigger: always_on\ndescription: "Say why"\n---\n',
    ],
    [
      "Windsurf, by globs",
      "windsurf-rules-dir",
      glob,
      '---\ntrigger: glob\nglobs: src/**,*.ts\ndescription: "Tests: \\"all\\""\n---\n',
    ],
  ])("%s", (...[, format, text, header]) => {
    const body = text.slice(text.indexOf("---\n", 4) + 4);
    expect(render(format, text)).toBe(header + body);
  });

  test("a rule without front matter is all body", () => {
    expect(render("windsurf-rules-dir", "# Title\n")).toBe(
      '---\ntrigger: always_on\ndescription: "Title"\n---\n# Title\n',
    );
  });

  test("text of the front matter cannot break out of its line", () => {
    const text =
      '---\ntrigger: glob\ndescription: "a\\n---\\nb"\nglobs: ["x\\nalwaysApply: true"]\n---\nBody\n';
    expect(render("cursor-rules-dir", text)).toBe(
      '---\ndescription: "a --- b"\nglobs: x alwaysApply: true\nalwaysApply: false\n---\nBody\n',
    );
  });

  test("the name is the rule's path with -- for /, under each format's suffix", () => {
    const rules = rulesOf({ "rules/a/b.c.md": always });
    const folders: { format: NativeFormat; path: string }[] = [
      { format: "cursor-rules-dir", path: ".cursor/rules" },
      { format: "claude-rules-dir", path: ".claude/rules" },
      { format: "copilot-instructions-dir", path: ".github/instructions" },
      { format: "windsurf-rules-dir", path: ".windsurf/rules" },
    ];
    expect(planNativeRules(folders, rules).map(({ path }) => path)).toEqual([
      ".cursor/rules/a--b.c.mdc",
      ".claude/rules/a--b.c.md",
      ".github/instructions/a--b.c.instructions.md",
      ".windsurf/rules/a--b.c.md",
    ]);
  });

  test("two rules with one native name are E_PATH_CONFLICT", () => {
    const rules = rulesOf({ "rules/a/b.md": "x", "rules/a--B.md": "y" });
    expect(() =>
      planNativeRules([{ format: "claude-rules-dir", path: ".claude/rules" }], rules),
    ).toThrowError(expect.objectContaining({ code: "E_PATH_CONFLICT" }));
  });
});
