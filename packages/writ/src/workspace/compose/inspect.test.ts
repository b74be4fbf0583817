import { describe, expect, test } from "vitest";
import { firstHeading, readFrontMatter } from "./front-matter.ts";
import { inspectAsset, kindOf } from "./inspect.ts";
import { layer } from "./layers.fixture.ts";
import { composeLayers } from "./layers.ts";

const rule = (text: string) => inspectAsset("rules/r1.md", Buffer.from(text));

describe("WS-65: front matter is read leniently", () => {
  test("known keys of a rule are read", () => {
    const facts = rule("---\ntrigger: glob\ndescription: Say why\nglobs: [src/**, '*.ts']\n---\nBody\n");
    expect(facts).toMatchObject({ trigger: "glob", description: "Say why", globs: ["src/**", "*.ts"] });
    expect(facts.frontMatter).toEqual({ state: "ok" });
    expect(facts.bodyStart).toBe(
      Buffer.byteLength("---\ntrigger: glob\ndescription: Say why\nglobs: [src/**, '*.ts']\n---\n"),
    );
  });

  test("globs written as one text are split outside braces", () => {
    expect(rule("---\nglobs: 'src/*.{ts,tsx}, docs/**'\n---\n").globs).toEqual(["src/*.{ts,tsx}", "docs/**"]);
  });

  test("a trigger that is absent or unknown is always_on", () => {
    expect(rule("---\ndescription: x\n---\n").trigger).toBe("always_on");
    expect(rule("---\ntrigger: sometimes\n---\n").trigger).toBe("always_on");
  });

  test.each([
    ["a missing block", "# The heading\n\nText\n", "missing"],
    ["broken YAML", "---\nglobs: **/*.ts\n---\n# The heading ##\n", "broken"],
    ["a list in place of a mapping", "---\n- a\n---\n## The heading\n", "broken"],
    ["a block that never ends", "---\ndescription: x\n\n# The heading\n", "missing"],
  ])("%s gives the first heading as description", (_, text, state) => {
    const facts = rule(text);
    expect(facts.frontMatter?.state).toBe(state);
    expect(facts.description).toBe("The heading");
  });

  test("a byte-order mark, CRLF and trailing blanks are no obstacle", () => {
    const facts = rule("\uFEFF---  \r\ndescription: Said\r\n--- \r\nBody\r\n");
    expect(facts).toMatchObject({ description: "Said", frontMatter: { state: "ok" } });
  });

  test("such files are composed all the same, with one warning a stack", () => {
    const { files, warnings } = composeLayers(
      [
        layer("core", {
          "rules/a.md": "A",
          "rules/b.md": "---\nx: [\n---\n",
          "rules/c.md": "---\ndescription: c\n---\n",
        }),
      ],
      { agents: true },
    );
    expect(files.size).toBe(3);
    const told = warnings.filter(({ code }) => code === "W_FRONTMATTER");
    expect(told).toHaveLength(1);
    expect(told[0]?.message).toContain(".agents/rules/a.md, .agents/rules/b.md");
    expect(told[0]?.message).not.toContain("c.md");
  });

  test("an alias bomb is a problem of the file and nothing worse", () => {
    const bomb = [
      "a: &a [x, x]",
      ...Array.from({ length: 9 }, (_, i) => `b${i}: &b${i} [${"*a, ".repeat(60)}]`),
    ].join("\n");
    expect(readFrontMatter(Buffer.from(`---\n${bomb}\n---\n`)).state).toBe("broken");
  });
});

test("a heading is found behind text, and not in what only looks like one", () => {
  expect(firstHeading("text\n#no\n   ## Yes\n")).toBe("Yes");
  expect(firstHeading("    # code\n")).toBeUndefined();
});

test.each([
  ["rules/a/b.md", "rule"],
  [".agents/rules/a.mdc", "rule"],
  ["rules/data.json", undefined],
  ["skills/s/SKILL.md", "skill"],
  ["skills/s/docs/SKILL.md", undefined],
  ["skills/README.md", undefined],
  ["workflows/w.md", "workflow"],
  ["agents/a.yml", "agent"],
])("WS-65: %s is a %s", (path, kind) => {
  expect(kindOf(path)).toBe(kind);
});

test("bytes that are not text have nothing to say", () => {
  expect(inspectAsset("rules/r.md", Buffer.from([0x2d, 0, 0xff]))).toEqual({});
});
