import { describe, expect, test } from "vitest";
import { layer } from "./layers.fixture.ts";
import { composeLayers } from "./layers.ts";
import { skillFindings } from "./skills.ts";

const findings = (texts: Record<string, string>, stack = "core") =>
  skillFindings(composeLayers([layer(stack, texts)], { agents: true }).files);
const idsOf = (folder: string, text: string) =>
  findings({ [`skills/${folder}/SKILL.md`]: text }).skills[0]?.problems.map(({ id }) => id);
const good = "---\nname: s\ndescription: Does it.\n---\n";

describe("WS-66: the Agent Skills standard", () => {
  test.each([
    ["a good one", "s", `${good}Body\n`, []],
    [
      "every optional key",
      "s",
      good.replace("---\n", "---\nlicense: MIT\nallowed-tools: Read\nmetadata: {a: b}\ncompatibility: any\n"),
      [],
    ],
    ["no front matter", "s", "Body\n", ["SK1", "SK2", "SK4"]],
    ["a snake_case name", "bad_name", good.replace("name: s", "name: bad_name"), ["SK2"]],
    ["a name of 65 characters", "s", good.replace("name: s", `name: ${"a".repeat(65)}`), ["SK2", "SK3"]],
    ["another name than the folder", "t", good, ["SK3"]],
    ["no description", "s", "---\nname: s\n---\n", ["SK4"]],
    ["a description over 1,024 characters", "s", good.replace("Does it.", "x".repeat(1025)), ["SK4"]],
    [
      "wrong types",
      "s",
      good.replace("---\n", "---\nmetadata: {a: 1}\nlicense: 2\nallowed-tools: [a]\n"),
      ["SK5", "SK5", "SK5"],
    ],
    ["a long body", "s", good + "line\n".repeat(501), ["SK6"]],
    ["a heavy body", "s", good + "x".repeat(20_001), ["SK6"]],
  ])("%s", (...[, folder, text, ids]) => {
    expect(idsOf(folder, text)).toEqual(ids);
  });

  test("a folder without SKILL.md breaks SK1", () => {
    const { skills } = findings({ "skills/s/notes.txt": "x" });
    expect(skills).toEqual([
      {
        path: ".agents/skills/s",
        name: "s",
        problems: [expect.objectContaining({ id: "SK1", level: "warn" })],
      },
    ]);
  });

  test("one warning a stack names the count and the ids, and a remark alone is none", () => {
    const { skills, warnings } = findings({
      "skills/bad_name/SKILL.md": good.replace("name: s", "name: bad_name"),
      "skills/t/SKILL.md": good,
      "skills/s/SKILL.md": good + "line\n".repeat(600),
    });
    expect(skills.map(({ name }) => name)).toEqual(["bad_name", "s", "t"]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.code).toBe("W_SKILL_RULES");
    expect(warnings[0]?.message).toContain(
      "In stack core, 2 skills break the Agent Skills standard (SK2 name pattern, SK3 name differs from the folder): bad_name, t.",
    );
    expect(findings({ "skills/s/SKILL.md": good + "line\n".repeat(600) }).warnings).toEqual([]);
  });
});
