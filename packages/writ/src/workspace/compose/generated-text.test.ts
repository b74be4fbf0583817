import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Facts } from "./context-types.ts";
import { generateText } from "./generated-text.ts";
import { alwaysOnChanged, indexOf } from "./index-entries.ts";
import { renderIndex, renderPrivateIndex } from "./index-file.ts";
import { layer } from "./layers.fixture.ts";
import { composeLayers } from "./layers.ts";
import { markerLine, parseMarkers } from "./markers.ts";

function factsOf(texts: Record<string, string>, more: Partial<Facts> = {}): Facts {
  const { shared } = composeLayers([layer("core", texts)], { agents: true });
  return { workspaceName: "demo", stacks: [], repos: [], index: indexOf(shared), ...more };
}

function rules(count: number, description: string): Record<string, string> {
  const entries = Array.from({ length: count }, (_, i) => [
    `rules/rule-${i}.md`,
    `---\ndescription: ${description}\n---\n`,
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

const sizeOf = (lines: readonly string[]) =>
  Buffer.byteLength([markerLine("header-start"), ...lines, markerLine("header-end"), ""].join("\n"));

test("WS-72: the generated text, in its order", () => {
  const facts = factsOf(
    {
      "rules/b.md": "---\ndescription: Always\n---\n",
      "rules/a.md": "---\ntrigger: manual\ndescription: On request\n---\n",
      "skills/s1/SKILL.md": "---\nname: s1\ndescription: Does it\n---\n",
      "workflows/w.md": "# Work\n",
      "agents/x.yml": "name: x\n",
    },
    {
      stacks: [
        { label: "core", repo: "t/core", ref: "refs/heads/main", commit: "3f2a91c4d".padEnd(40, "0") },
        { label: "mine", repo: "path:../mine" },
      ],
      repos: [{ path: "api", repo: "acme/api", ref: "refs/tags/v2" }],
    },
  );
  expect(generateText(facts, 12_288).lines.slice(1)).toEqual([
    "# Workspace: demo",
    "",
    "## Stacks",
    "",
    "- core: `t/core` at main (3f2a91c4)",
    "- mine: `path:../mine`",
    "",
    "## Product repositories",
    "",
    "- `api`: `acme/api` at v2",
    "",
    "## Rules",
    "",
    "Always on, read each before you work:",
    "- `.agents/rules/b.md`: Always",
    "Read when they apply:",
    "- `.agents/rules/a.md`: On request",
    "",
    "## Skills",
    "",
    "- s1: Does it (`.agents/skills/s1/SKILL.md`)",
    "",
    "## Workflows",
    "",
    "- `.agents/workflows/w.md`: Work",
    "",
    "The complete index is `.agents/INDEX.md`. Read `.agents/PRIVATE.md` too, if present.",
  ]);
});

describe("WS-73: degradation", () => {
  const long = "word ".repeat(40).trim();

  test.each([
    ["fits", 10, 160],
    ["cut to 80 characters", 90, 80],
    ["dropped", 200, 0],
  ])("descriptions are %s with %i rules", (_, count, chars) => {
    const { lines, shortened } = generateText(factsOf(rules(count, long)), 12_288);
    const told = lines.filter((line) => line.startsWith("- `.agents/rules/"));
    expect(told).toHaveLength(count);
    const [first = ""] = told;
    const text = first.split("`: ")[1] ?? "";
    expect(Array.from(text).length).toBeLessThanOrEqual(chars);
    expect(text === "").toBe(chars === 0);
    expect(shortened).toBe(chars !== 160);
    expect(sizeOf(lines)).toBeLessThanOrEqual(12_288);
  });

  test("with 400 rules only counts and the pointer are left, in whole lines, and INDEX.md is complete", () => {
    const facts = factsOf({ ...rules(400, long), "skills/s/SKILL.md": "x", "workflows/w.md": "x" });
    const { lines, shortened } = generateText(facts, 12_288);
    expect(shortened).toBe(true);
    expect(lines).toContain("400 rules, 400 always on.");
    expect(lines).toContain("1 skill.");
    expect(lines.at(-1)).toBe(
      "The complete index is `.agents/INDEX.md`. Read `.agents/PRIVATE.md` too, if present.",
    );
    const complete = renderIndex(facts).split("\n");
    expect(complete.filter((line) => line.startsWith("- `.agents/rules/rule-"))).toHaveLength(400);
    expect(complete).toContain(`- \`.agents/rules/rule-7.md\` (always on): ${long}`);
  });

  test("whatever there is, the text fits the smallest budget, in whole lines that hold no marker", () => {
    const name = fc.string({ minLength: 1, maxLength: 200 });
    const stack = fc.record({ label: name, repo: name, ref: name });
    const repo = fc.record({ path: name, repo: name });
    fc.assert(
      fc.property(
        name,
        fc.array(stack, { maxLength: 64 }),
        fc.array(repo, { maxLength: 100 }),
        (title, stacks, repos) => {
          const { lines } = generateText(
            factsOf(rules(50, "x"), { workspaceName: title, stacks, repos }),
            2048,
          );
          expect(sizeOf(lines)).toBeLessThanOrEqual(2048);
          expect(lines.join("").includes("\n")).toBe(false);
          expect(parseMarkers(Buffer.from(lines.join("\n"))).state).toBe("unmarked");
        },
      ),
    );
  });
});

test("WS-74: a description that holds markers stays text", () => {
  const forged = JSON.stringify(`x\n${markerLine("header-end")}\n${markerLine("editable-start")}`);
  const facts = factsOf({ "rules/r.md": `---\ndescription: ${forged}\n---\n` });
  const text = generateText(facts, 12_288).lines.join("\n");
  expect(text).toContain(
    "- `.agents/rules/r.md`: x <! -- @ awac:header-end -- > <! -- @ awac:editable-start -- >",
  );
  expect(parseMarkers(Buffer.from(text)).state).toBe("unmarked");
});

test("WS-73, WS-104: the overlay stands in PRIVATE.md and nowhere else", () => {
  const overlay = layer("overlay", { "rules/secret.md": "# Hush\n" }, { overlay: true });
  const composition = composeLayers([layer("core", { "rules/r1.md": "# One\n" }), overlay], { agents: true });
  const facts = { workspaceName: "demo", stacks: [], repos: [], index: indexOf(composition.shared) };
  const shared = `${renderIndex(facts)}${generateText(facts, 12_288).lines.join("\n")}`;
  expect(shared).toContain("r1.md");
  expect(shared).not.toMatch(/secret|Hush|overlay/);
  const secret = renderPrivateIndex({ workspaceName: "demo", index: indexOf(composition.overlay) });
  expect(secret).toContain("- `.agents/rules/secret.md` (always on): Hush\n");
  expect(secret).not.toContain("r1.md");
});

test("WS-68: new or changed rules that are always on are named", () => {
  const { index } = factsOf({
    "rules/a.md": "x",
    "rules/b.md": "---\ntrigger: manual\n---\n",
    "rules/c.md": "x",
  });
  const changed = new Set([".agents/rules/a.md", ".agents/rules/b.md"]);
  expect(alwaysOnChanged(index.rules, changed)).toMatchObject([
    {
      code: "W_ALWAYS_ON_CHANGED",
      message: "Rules that steer every agent are new or changed: .agents/rules/a.md.",
    },
  ]);
  expect(alwaysOnChanged(index.rules, new Set())).toEqual([]);
});
