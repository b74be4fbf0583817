import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readEquationSpec } from "../../../packages/writ/src/research/equation/spec.ts";
import { translateEquation } from "../../../packages/writ/src/research/equation/translate.ts";

const root = new URL("../../../", import.meta.url);
const guide = readFileSync(new URL("docs/research.md", root), "utf8");

const rows = [...guide.matchAll(/^\| `([^`]+)` \| `([a-z_]+\.search[^`]*)` \|$/gm)].map(
  ([, typed = "", asked = ""]) => [typed, asked.replaceAll("\\|", "|")] as const,
);

describe("what the guide and the template show", () => {
  test.each(rows)("RL-55: the guide's %s is asked as it says", (typed, asked) => {
    expect(translateEquation("openalex", typed).executedQuery).toBe(asked);
  });

  test("RL-57: the guide's file and the template's are read and can be asked", () => {
    expect(rows.length).toBeGreaterThan(5);
    const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(guide) ?? [];
    const template = readFileSync(new URL("packages/writ/templates/research-equation.yml", root), "utf8");
    for (const text of [example, template]) {
      const { query, exclude } = readEquationSpec(text, "equation.yml");
      expect(translateEquation("openalex", query, { exclude, strict: true }).requests).toHaveLength(1);
    }
  });
});
