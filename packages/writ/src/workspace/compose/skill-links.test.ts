import { expect, test } from "vitest";
import { planSkillLinks } from "./skill-links.ts";

type Entry = "absent" | "folder" | "file" | { link: string };

function plan(entries: Record<string, Entry> = {}, recorded: string[] = []) {
  return planSkillLinks({
    folders: [".claude/skills", "skills"],
    skills: ["s1", "s2"],
    found: (path) => entries[path] ?? "absent",
    recorded: new Set(recorded),
  });
}

test("WS-82: each skill of a stack gets one relative link in each folder", () => {
  expect(plan().links).toEqual([
    { path: ".claude/skills/s1", target: "../../.agents/skills/s1", skill: "s1" },
    { path: ".claude/skills/s2", target: "../../.agents/skills/s2", skill: "s2" },
    { path: "skills/s1", target: "../.agents/skills/s1", skill: "s1" },
    { path: "skills/s2", target: "../.agents/skills/s2", skill: "s2" },
  ]);
});

test("WS-56, WS-82: a folder that is itself a link to .agents/skills already serves", () => {
  const { links, linked } = plan({
    ".claude/skills": { link: "../.agents/skills" },
    skills: { link: "./.agents/skills/" },
  });
  expect(links).toEqual([]);
  expect(linked).toEqual([".claude/skills", "skills"]);
});

test("WS-82: an entry of the user stays and is told, one of Writ's is planned again", () => {
  const { links, warnings } = plan(
    {
      ".claude/skills/s1": "folder",
      ".claude/skills/s2": "folder",
      "skills/s1": { link: "../elsewhere" },
      "skills/s2": { link: "../.agents/skills/s2" },
    },
    [".claude/skills/s2"],
  );
  expect(links.map(({ path }) => path)).toEqual([".claude/skills/s2", "skills/s2"]);
  expect(warnings.map(({ code, message }) => [code, message.split(",")[0]])).toEqual([
    ["W_SKILL_SHADOWED", "In .claude/skills"],
    ["W_SKILL_SHADOWED", "In skills"],
  ]);
});
