import { describe, expect, test } from "vitest";
import { parseManifest } from "./manifest.fixture.ts";
import { deriveTemplateMeta, parseTemplateMeta, renderTemplate } from "./template.ts";

describe("WS-114: rendering a template", () => {
  test("the placeholder is replaced as text, wherever it stands", () => {
    expect(
      renderTemplate("# <CHANGE-ME>\nname: <CHANGE-ME>\nschema: awac/1\nstacks: [core]\n", "my-feature"),
    ).toBe("# my-feature\nname: my-feature\nschema: awac/1\nstacks: [core]\n");
  });
  test.each([
    ["another name", "# c\nname: other # why\nstacks: [core]\n", "# c\nname: x\nstacks: [core]\n"],
    ["a quoted name", '"name": "other"\nstacks: [core]\n', "name: x\nstacks: [core]\n"],
    ["no name", "# c\n\nstacks: [core]\n", "# c\n\nname: x\nstacks: [core]\n"],
    [
      "the placeholder in a comment only",
      "# for <CHANGE-ME>\nstacks: [core]\n",
      "# for x\nname: x\nstacks: [core]\n",
    ],
    ["a name inside another key", "workspace_repo:\n  name: n\n", "name: x\nworkspace_repo:\n  name: n\n"],
  ])("a template with %s gets its name key set", (_title, text, rendered) => {
    expect(renderTemplate(text, "x")).toBe(rendered);
    expect(renderTemplate(rendered, "x")).toBe(rendered);
  });
  test("what it renders is a manifest of that name", () => {
    const text = renderTemplate("schema: awac/1\nstacks: [core]\n", "x1");
    expect(parseManifest(text, { base: "https://github.com" }).manifest.name).toBe("x1");
  });
});

describe("WS-23: the metadata block", () => {
  const block =
    "# wsp-template-meta:\n#   composes_stacks: [core, acme]\n#   clones_repos:\n#     - acme/api\n#   embeds_in_product_flow: acme\nname: <CHANGE-ME>\n";
  test("is read from the comments after its marker", () => {
    expect(parseTemplateMeta(`# title\n\n${block}`)).toEqual({
      composes_stacks: ["core", "acme"],
      clones_repos: ["acme/api"],
      embeds_in_product_flow: "acme",
    });
  });
  test("ends after 24 lines, and its marker counts only within the first 30", () => {
    const filler = "#\n".repeat(22);
    expect(
      parseTemplateMeta(
        `# wsp-template-meta\n${filler}# clones_repos: [a/b]\n# composes_stacks: [c]\n# embeds_in_product_flow: true\n`,
      ),
    ).toEqual({
      clones_repos: ["a/b"],
      composes_stacks: ["c"],
    });
    expect(parseTemplateMeta(`${"\n".repeat(29)}${block}`)).toBeDefined();
    expect(parseTemplateMeta(`${"\n".repeat(30)}${block}`)).toBeUndefined();
  });
  test("is absent where there is none, or none that can be read; what is unreadable hides nothing else", () => {
    expect(parseTemplateMeta("name: x\n")).toBeUndefined();
    expect(parseTemplateMeta("# wsp-template-meta\n# [\n")).toBeUndefined();
    expect(
      parseTemplateMeta("# wsp-template-meta\n# composes_stacks: core\n# clones_repos: [a/b]\n# other: 1\n"),
    ).toEqual({ clones_repos: ["a/b"] });
  });
  test("is derived from the stacks and repositories where there is none", () => {
    expect(deriveTemplateMeta([], [])).toEqual({
      composes_stacks: [],
      clones_repos: [],
      embeds_in_product_flow: false,
    });
  });
});
