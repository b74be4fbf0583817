import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { FixtureF } from "../fixtures/fixture-f.ts";
import { makeFixtureF } from "../fixtures/fixture-f.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { testApp, type TestApp } from "../support/test-app.ts";

const nowhere = { WRIT_GIT_BASE: "file:///nowhere/at/all" };

function atFixture(f: FixtureF, manifest: string | null = null): TestApp {
  return testApp({ manifest, env: f.env });
}

function withTemplates(f: FixtureF, files: Record<string, string>): void {
  const names = Object.keys(files).map(
    (name) => `  - name: ${name}\n    path: t/core/templates/${name}.yml\n    description: About ${name}\n`,
  );
  f.core.commit({
    files: {
      "awac.yml": `product: t\nshortcuts:\n  core: t/core\n  acme: acme/agent-stack\ntemplates:\n${names.join("")}`,
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`templates/${name}.yml`, text])),
    },
  });
}

async function listed(
  it: TestApp,
  input: Record<string, unknown> = {},
): Promise<Record<string, Record<string, unknown>>> {
  const answer = await it.call("workspace.templates", input);
  expect(answer.error).toBeNull();
  const templates = answer.data.templates as { name: string }[];
  return Object.fromEntries(templates.map((template) => [template.name, template]));
}

const shop = "name: <CHANGE-ME>\nschema: awac/2\nstacks: [core, acme]\n";
const block =
  "# wsp-template-meta\n#   composes_stacks: [everything]\n#   clones_repos: []\n#   embeds_in_product_flow: true\n\n";

test("WC-B5, WS-125: templates are listed with what follows from their stacks, the built-in ones after them", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  withTemplates(f, { shop, plain: "name: <CHANGE-ME>\nschema: awac/2\nstacks: [core]\n" });
  await using it = atFixture(f);
  const answer = await it.call("workspace.templates");
  const names = (answer.data.templates as { name: string }[]).map(({ name }) => name);
  expect(names).toEqual(["shop", "plain", "writ/blank", "writ/example", "writ/research", "writ/team"]);
  expect((answer.data.templates as unknown[])[0]).toEqual({
    name: "shop",
    description: "About shop",
    path: "t/core/templates/shop.yml",
    builtin: false,
    requires_confirmation: true,
    composes_stacks: ["core", "acme"],
    clones_repos: ["acme/api"],
    embeds_in_product_flow: "acme",
    available: true,
  });
  expect((answer.data.templates as unknown[])[1]).toMatchObject({
    requires_confirmation: false,
    clones_repos: [],
  });
  expect(answer.warnings).toEqual([]);
});

test("WC-B5, WS-23: a metadata block replaces the derived lists, and whether a word is needed stays computed", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  withTemplates(f, { shop: block + shop });
  await using it = atFixture(f);
  expect((await listed(it)).shop).toMatchObject({
    requires_confirmation: true,
    composes_stacks: ["everything"],
    clones_repos: [],
    embeds_in_product_flow: true,
  });
});

test("WS-125: no built-in template needs a word, and all can be read", async () => {
  await using it = testApp({ manifest: null, env: nowhere });
  const answer = await it.call("workspace.templates");
  expect(answer.warnings).toMatchObject([{ code: "W_BUILTIN_TEMPLATE" }]);
  for (const template of answer.data.templates as Record<string, unknown>[]) {
    expect(template).toMatchObject({
      builtin: true,
      requires_confirmation: false,
      available: true,
      clones_repos: [],
    });
  }
});

test("WS-125: a template that cannot be read is listed as such, and one of an unknown stack needs a word", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  withTemplates(f, {
    shop,
    broken: "name: <CHANGE-ME>\nstacks: 7\n",
    lost: "name: <CHANGE-ME>\nschema: awac/2\nstacks: [nosuch]\n",
  });
  f.core.commit({ remove: ["templates/shop.yml"] });
  await using it = atFixture(f);
  const templates = await listed(it);
  expect(templates.shop).toMatchObject({
    available: false,
    requires_confirmation: true,
    reason: expect.stringContaining('no file "templates/shop.yml"'),
  });
  expect(templates.broken).toMatchObject({
    available: false,
    requires_confirmation: true,
    reason: expect.stringContaining("Line 2"),
  });
  expect(templates.lost).toMatchObject({
    available: true,
    requires_confirmation: true,
    composes_stacks: ["nosuch"],
  });
});

test("WC-B6: shortcuts come sorted, and from the cache with a warning once every remote is gone", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  await using it = atFixture(f);
  const fresh = await it.call("workspace.shortcuts");
  const sorted = [
    { shortcut: "acme", target: "acme/agent-stack" },
    { shortcut: "core", target: "t/core" },
  ];
  expect(fresh).toMatchObject({ ok: true, warnings: [], data: { registry: "t/core", shortcuts: sorted } });
  for (const repo of [f.core, f.acme, f.api]) repo.moveAway();
  const cached = await it.call("workspace.shortcuts");
  expect(cached).toMatchObject({
    ok: true,
    warnings: [{ code: "W_CACHED_REFS" }],
    data: { shortcuts: sorted },
  });
  const templates = await it.call("workspace.templates");
  expect(templates).toMatchObject({ ok: true });
  expect(templates.warnings.map(({ code }) => code)).toContain("W_CACHED_REFS");
  const offline = await it.call("workspace.shortcuts", { offline: true });
  expect(offline).toMatchObject({ ok: true, warnings: [{ code: "W_CACHED_REFS" }] });
});

test("WS-125: a shortcut whose repository was missing when it was last asked for is told, until it is there", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  await using it = testApp({ manifest: "name: demo\nschema: awac/2\nstacks: [core, acme]\n", env: f.env });
  const acme = async () => {
    const { data } = await it.call("workspace.shortcuts");
    return (data.shortcuts as Record<string, unknown>[]).find(({ shortcut }) => shortcut === "acme");
  };
  const back = f.acme.moveAway();
  expect(await acme()).not.toHaveProperty("lazy");
  expect((await it.call("workspace.bootstrap")).error).toMatchObject({ code: "E_LAZY_STACK" });
  expect(await acme()).toMatchObject({ target: "acme/agent-stack", lazy: true });
  back();
  expect(await it.call("workspace.bootstrap")).toMatchObject({ ok: true });
  expect(await acme()).not.toHaveProperty("lazy");
});

test("WS-125: both ask the remote for the newest registry", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  await using it = atFixture(f);
  await it.call("workspace.shortcuts");
  f.core.commit({ files: { "awac.yml": "shortcuts:\n  newer: t/newer\n" } });
  const answer = await it.call("workspace.shortcuts");
  expect(answer.data.shortcuts).toEqual([{ shortcut: "newer", target: "t/newer" }]);
});

test("WS-32: in a workspace its own registry is read, a flag goes before it", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  f.host.repo("own/registry", { files: { "awac.yml": "shortcuts:\n  mine: own/stack\n" } });
  await using it = atFixture(f, "name: demo\nschema: writ/1\nregistry: own/registry\n");
  const own = await it.call("workspace.shortcuts");
  expect(own.data).toMatchObject({
    registry: "own/registry",
    shortcuts: [{ shortcut: "mine", target: "own/stack" }],
  });
  expect((await it.call("workspace.shortcuts", { registry: "t/core" })).data.registry).toBe("t/core");
});

test("CT-28: a registry without shortcuts is an empty list with its reason", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  f.core.commit({ files: { "awac.yml": "product: t\n" } });
  await using it = atFixture(f);
  expect(await it.call("workspace.shortcuts")).toMatchObject({
    exit_code: 0,
    data: { shortcuts: [], reason: expect.any(String) },
  });
});

test.each([
  ["without awac.yml", { remove: ["awac.yml"] }],
  ["with broken YAML", { files: { "awac.yml": "shortcuts: [\n" } }],
  ["with a shortcut that lacks a slash", { files: { "awac.yml": "shortcuts:\n  core: core\n" } }],
])("WC-F8, WS-20: a registry %s is refused by templates, shortcuts and init", async (_what, commit) => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  f.core.commit(commit);
  await using it = atFixture(f);
  for (const [capability, input] of [
    ["workspace.templates", {}],
    ["workspace.shortcuts", {}],
    ["workspace.init", { name: "a" }],
  ] as const) {
    const { error } = await it.call(capability, input);
    expect(error).toMatchObject({ code: "E_INVALID_REGISTRY", exit_code: 2 });
  }
});

test("WS-20: a broken workspace.yml is told by shortcuts, which would read its registry", async () => {
  await using it = testApp({ env: nowhere });
  writeFileSync(join(it.root, "workspace.yml"), "name: demo\nschema: writ/1\nregistri: a/b\n");
  expect((await it.call("workspace.shortcuts")).error).toMatchObject({ code: "E_INVALID_MANIFEST" });
});
