import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inputOf } from "../../packages/writ/src/contract/index.ts";
import { styleFor } from "../../packages/writ/src/surfaces/cli/render.ts";
import initCapability from "../../packages/writ/src/workspace/capabilities/init.ts";
import type { FixtureF } from "../fixtures/fixture-f.ts";
import { makeFixtureF } from "../fixtures/fixture-f.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { snapshot } from "../support/workspace-runs.ts";
import { testApp, type TestApp } from "../support/test-app.ts";

/** The program in an empty folder, with the fixture's registry in reach. */
function atFixture(f: FixtureF, env: Record<string, string> = {}): TestApp {
  return testApp({ manifest: null, env: { ...f.env, ...env } });
}

/** Adds a template to the registry whose stack declares a repository, its org spelled with a capital. */
function addCloning(f: FixtureF, block = ""): void {
  f.host.repo("Acme/agent-stack", { files: { "awac.yml": "product: acme\nrepos:\n  - name: api\n" } });
  f.core.commit({
    files: {
      "awac.yml": `${f.core.git("show", "main:awac.yml")}\n`.replace(
        "templates:\n",
        "templates:\n  - name: shop\n    path: t/core/templates/shop.yml\n",
      ),
      "templates/shop.yml": `${block}name: <CHANGE-ME>\nschema: awac/2\nstacks:\n  - core\n  - Acme/agent-stack\n`,
    },
  });
}

const nowhere = { WRIT_GIT_BASE: "file:///nowhere/at/all" };

async function events(
  it: TestApp,
  root: string,
): Promise<{ capability: string; actor: string; subjects: string[] }[]> {
  const answer = await it.call("ledger.list", {}, { where: { flag: root } });
  return answer.data.events as never;
}

test("WC-B1, WS-114: init writes the registry's template under the name and makes nothing else", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  await using it = atFixture(f);
  const answer = await it.call("workspace.init", { name: "my-feature" });
  const root = join(it.root, "my-feature");
  expect(answer.error).toBeNull();
  expect(answer.data).toMatchObject({
    workspace: { root, source: "init" },
    changed: true,
    file: "workspace.yml",
    name: "my-feature",
    template: { name: "blank", repo: "t/core", commit: f.core.tip(), path: "templates/blank.yml" },
    confirmed: false,
    next: ["writ bootstrap --workspace my-feature"],
  });
  expect(readFileSync(join(root, "workspace.yml"), "utf8")).toBe(
    "name: my-feature\nschema: awac/2\nstacks: [core]\n",
  );
  expect(readdirSync(root).toSorted()).toEqual([".writ", "workspace.yml"]);
  expect(readdirSync(it.root)).toEqual(["my-feature"]);
});

test("WS-112, AG-158: the event of init is the first of the new workspace's own ledger, under its real name", async () => {
  await using it = testApp({ manifest: null, env: nowhere });
  await it.call("workspace.init", { name: "shop", template: "writ/team", target: "some-folder" });
  const root = join(it.root, "some-folder");
  expect(JSON.parse(readFileSync(join(root, ".writ/workspace.json"), "utf8"))).toMatchObject({
    name: "shop",
  });
  expect(await events(it, root)).toMatchObject([
    { capability: "workspace.init", actor: "user:ana", subjects: ["file:workspace.yml"] },
  ]);
});

test("WC-B2: again changes nothing, and an edited workspace.yml is never overwritten", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  await using it = atFixture(f);
  await it.call("workspace.init", { name: "my-feature" });
  const root = join(it.root, "my-feature");
  const before = snapshot(root);
  const again = await it.call("workspace.init", { name: "my-feature" });
  expect(again).toMatchObject({ ok: true, data: { changed: false, reason: expect.any(String) } });
  expect(snapshot(root)).toEqual(before);

  writeFileSync(join(root, "workspace.yml"), "name: mine\nschema: writ/1\n");
  const edited = snapshot(root);
  const refused = await it.call("workspace.init", { name: "my-feature" });
  expect(refused.error).toMatchObject({ code: "E_EXISTS", category: "conflict", exit_code: 2 });
  expect(refused.error?.remediation).toContain("writ status --workspace my-feature");
  expect(snapshot(root)).toEqual(edited);
});

test("WC-B3: an unknown name under writ/ asks nobody, and lists those there are", async () => {
  await using it = testApp({ manifest: null, env: nowhere });
  const { error } = await it.call("workspace.init", { name: "x1", template: "writ/nope" });
  expect(error).toMatchObject({
    code: "E_UNKNOWN_TEMPLATE",
    details: { available: ["writ/blank", "writ/example", "writ/research", "writ/team"] },
  });
});

test("WC-B3: a mistyped name of a template that ships with Writ is told first, also where no registry can be asked", async () => {
  await using it = testApp({ manifest: null, env: nowhere });
  for (const [typed, meant] of [
    ["reserch", "writ/research"],
    ["blank", "writ/blank"],
    ["writ/exmaple", "writ/example"],
  ] as const) {
    const { error } = await it.call("workspace.init", { name: "x1", template: typed });
    expect(error?.remediation, typed).toMatch(new RegExp(`^Did you mean --template ${meant}\\?`));
    expect(error?.details).toMatchObject({ nearest: meant });
  }
  const { error } = await it.call("workspace.init", { name: "x1", template: "shop" });
  expect(error?.remediation).not.toContain("Did you mean");
});

test("WC-B3: a registry that does not exist is to be named by the flag or the variable, not in workspace.yml", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  await using it = atFixture(f);
  for (const [command, input] of [
    ["workspace.init", { name: "x1", template: "shop" }],
    ["workspace.templates", {}],
  ] as const) {
    const { error } = await it.call(command, { ...input, registry: "no/where" });
    expect(error?.code).toBe("E_REPO_NOT_FOUND");
    expect(error?.remediation).toContain("--registry or WRIT_REGISTRY");
    expect(error?.remediation).not.toContain("workspace.yml");
  }
});

test("WC-B3: an unknown template lists those there are and leaves no folder", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  await using it = atFixture(f);
  const { error } = await it.call("workspace.init", { name: "x1", template: "blnk" });
  expect(error).toMatchObject({ code: "E_UNKNOWN_TEMPLATE", details: { nearest: "blank" } });
  expect(error?.details?.available).toEqual([
    "blank",
    "writ/blank",
    "writ/example",
    "writ/research",
    "writ/team",
  ]);
  expect(readdirSync(it.root)).toEqual([]);
});

test("WC-B4, WS-115: a template whose stack declares repositories needs a word, however its org is spelled", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  addCloning(f);
  await using it = atFixture(f);
  const refused = await it.call("workspace.init", { name: "p1", template: "shop" });
  expect(refused.error).toMatchObject({
    code: "E_CONFIRMATION_REQUIRED",
    category: "policy",
    remediation: expect.stringContaining("writ init p1 --template shop --yes"),
    details: { template: "shop", composes_stacks: ["core", "Acme/agent-stack"], clones_repos: ["Acme/api"] },
  });
  expect(readdirSync(it.root)).toEqual([]);
  const accepted = await it.call("workspace.init", { name: "p1", template: "shop", yes: true });
  expect(accepted).toMatchObject({ ok: true, data: { changed: true, confirmed: true } });
  expect(readdirSync(join(it.root, "p1")).toSorted()).toEqual([".writ", "workspace.yml"]);
});

test("WS-115: what would be cloned and cannot be found out needs a word too, whatever the template says", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  addCloning(f, "# wsp-template-meta\n# clones_repos: []\n\n");
  f.core.commit({
    files: { "templates/blank.yml": "name: <CHANGE-ME>\nschema: awac/2\nstacks: [gone/agent-stack]\n" },
  });
  await using it = atFixture(f);
  const silent = await it.call("workspace.init", { name: "p1", template: "shop" });
  expect(silent.error).toMatchObject({
    code: "E_CONFIRMATION_REQUIRED",
    details: { clones_repos: ["Acme/api"] },
  });
  const gone = await it.call("workspace.init", { name: "p2" });
  expect(gone.error).toMatchObject({
    code: "E_CONFIRMATION_REQUIRED",
    details: {
      composes_stacks: ["gone/agent-stack"],
      clones_repos: [],
      unknown: [expect.stringContaining("E_REPO_NOT_FOUND")],
    },
  });
  expect((await it.call("workspace.init", { name: "p2", yes: true })).data.confirmed).toBe(true);
});

test("WS-115: extra_repos and modules of a template count as clones", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  await using it = atFixture(f);
  const extra = "extra_repos:\n  - {org: acme, repo: api}\n";
  f.core.commit({
    files: { "templates/blank.yml": `name: <CHANGE-ME>\nschema: awac/2\nstacks: [core]\n${extra}` },
  });
  const extras = await it.call("workspace.init", { name: "p1" });
  expect(extras.error).toMatchObject({
    code: "E_CONFIRMATION_REQUIRED",
    details: { clones_repos: ["acme/api"] },
  });
  f.core.commit({
    files: {
      "templates/blank.yml": "name: <CHANGE-ME>\nschema: awac/2\nstacks:\n  - {org: acme, modules: [a]}\n",
    },
  });
  const modules = await it.call("workspace.init", { name: "p1" });
  expect(modules.error).toMatchObject({
    code: "E_CONFIRMATION_REQUIRED",
    details: { clones_repos: ["acme/a"] },
  });
});

test("WC-A3, WC-A4: without a name init says what a name is and which templates there are, asking nobody", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  addCloning(f);
  await using it = atFixture(f);
  const pattern = "^[a-z][a-z0-9]*(-[a-z0-9]+)*$";
  const own = ["writ/blank", "writ/example", "writ/research", "writ/team"];
  const missing = (options: string[]) => ({
    code: "E_MISSING_INPUT",
    details: { missing: [{ name: "name", pattern }, { options }] },
  });
  const bare = await it.call("workspace.init");
  expect(bare).toMatchObject({ ok: false, exit_code: 1, error: missing(["blank", ...own]), warnings: [] });
  expect(bare.error?.remediation).toContain(": writ init my-workspace");
  // A registry that the cache has seen is listed, although it cannot be reached any more.
  await it.call("workspace.shortcuts");
  f.core.moveAway();
  const seen = await it.call("workspace.init");
  expect(seen.error).toMatchObject(missing(["blank", "shop", ...own]));
  expect(seen.warnings).toEqual([]);
});

test("WS-114: a bad name is refused before anything is asked, with one that would do", async () => {
  await using it = testApp({ manifest: null, env: nowhere });
  const { error } = await it.call("workspace.init", { name: "My Shöp 2" });
  expect(error).toMatchObject({ code: "E_INVALID_NAME", exit_code: 1, details: { suggestion: "my-shop-2" } });
  const dot = join(it.root, "No_Name");
  mkdirSync(dot);
  const here = await it.call("workspace.init", { name: "." }, { base: dot });
  expect(here.error).toMatchObject({
    code: "E_INVALID_NAME",
    remediation: "Use such a name: writ init no-name",
  });
  expect(readdirSync(dot)).toEqual([]);
});

test("WS-114: a dot takes the folder's own name and leaves what is in it alone", async () => {
  await using it = testApp({ manifest: null, env: nowhere });
  const folder = join(it.root, "shop");
  mkdirSync(folder);
  writeFileSync(join(folder, "notes.txt"), "mine");
  const answer = await it.call("workspace.init", { name: ".", template: "writ/blank" }, { base: folder });
  expect(answer.data).toMatchObject({
    name: "shop",
    workspace: { root: folder, source: "init" },
    next: ["writ bootstrap"],
  });
  expect(readFileSync(join(folder, "notes.txt"), "utf8")).toBe("mine");
});

test("WS-116: without template and registry the built-in one is used and said; a named template fails as its source does", async () => {
  await using it = testApp({ manifest: null, env: nowhere });
  const built = await it.call("workspace.init", { name: "a" });
  expect(built).toMatchObject({
    ok: true,
    data: { template: { name: "writ/blank" } },
    warnings: [{ code: "W_BUILTIN_TEMPLATE", remediation: expect.stringContaining("writ templates") }],
  });
  const named = await it.call("workspace.init", { name: "b", template: "blank" });
  expect(named.error).toMatchObject({ code: "E_REPO_NOT_FOUND" });
  const offline = await it.call("workspace.init", { name: "b", template: "blank", offline: true });
  expect(offline.error).toMatchObject({ code: "E_OFFLINE_MISS", exit_code: 4 });
  expect(existsSync(join(it.root, "b"))).toBe(false);
});

test("WS-116: a registry in the cache serves its templates when it cannot be reached", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  await using it = atFixture(f);
  await it.call("workspace.init", { name: "a" });
  f.core.moveAway();
  const cached = await it.call("workspace.init", { name: "b" });
  expect(cached).toMatchObject({
    ok: true,
    data: { template: { name: "blank", repo: "t/core" } },
    warnings: [{ code: "W_CACHED_REFS" }],
  });
});

test("WS-114: built-in templates ask no registry, and research alone means Writ's own", async () => {
  await using it = testApp({ manifest: null, env: nowhere });
  for (const template of ["writ/blank", "writ/team", "writ/research", "research", "writ/example"]) {
    const name = template.replace("/", "-");
    const answer = await it.call("workspace.init", { name, template });
    expect(answer).toMatchObject({ ok: true, warnings: [], data: { confirmed: false } });
    expect(answer.data.template).toEqual({ name: template === "research" ? "writ/research" : template });
    expect(readFileSync(join(it.root, name, "workspace.yml"), "utf8")).toContain(
      `name: ${name}\nschema: writ/1\n`,
    );
  }
});

test("WS-114: a template that makes no valid workspace.yml is refused with its problems, and leaves nothing", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  f.core.commit({ files: { "templates/blank.yml": "name: <CHANGE-ME>\nschema: writ/1\nstack: [core]\n" } });
  await using it = atFixture(f);
  const { error } = await it.call("workspace.init", { name: "x1", yes: true });
  expect(error).toMatchObject({
    code: "E_INVALID_MANIFEST",
    details: { template: "blank", problems: [{ kind: "unknown_key" }] },
  });
  expect(readdirSync(it.root)).toEqual([]);
});

test("WS-114: a template without the placeholder gets the name, and one whose file is missing is the registry's fault", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  f.core.commit({ files: { "templates/blank.yml": "# one\nname: other\nschema: awac/2\nstacks: [core]\n" } });
  await using it = atFixture(f);
  await it.call("workspace.init", { name: "x1" });
  expect(readFileSync(join(it.root, "x1", "workspace.yml"), "utf8")).toBe(
    "# one\nname: x1\nschema: awac/2\nstacks: [core]\n",
  );
  f.core.commit({ remove: ["templates/blank.yml"] });
  expect((await it.call("workspace.init", { name: "x2" })).error).toMatchObject({
    code: "E_INVALID_REGISTRY",
  });
});

test("WS-23: a template of another repository is read there, at its default branch, on the registry's host", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  const other = f.host.repo("acme/starters", {
    branch: "master",
    files: { "a/shop.yml": "name: <CHANGE-ME>\nschema: writ/1\n" },
  });
  f.core.commit({
    files: { "awac.yml": "templates:\n  - name: shop\n    path: acme/starters/a/shop.yml\n" },
  });
  await using it = atFixture(f);
  const answer = await it.call("workspace.init", { name: "x1", template: "shop" });
  expect(answer.data.template).toEqual({
    name: "shop",
    repo: "acme/starters",
    commit: other.tip("master"),
    path: "a/shop.yml",
  });
});

test("CT-19: a dry run of init has the same data and makes nothing", async () => {
  await using it = testApp({ manifest: null, env: nowhere });
  const input = { name: "demo", template: "writ/example" };
  const dry = await it.call("workspace.init", input, { dryRun: true });
  expect(readdirSync(it.root)).toEqual([]);
  const real = await it.call("workspace.init", input);
  const { workspace: _, ...data } = real.data;
  expect(dry.data).toEqual({ ...data, dry_run: true });
  const shown = initCapability.render?.(dry.data as never, styleFor(false)) ?? "";
  expect(shown).not.toContain("Next");
});

test("CT-18: only a caller that may be asked is asked for name, template and confirmation", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  addCloning(f);
  await using it = atFixture(f);
  await it.call("workspace.shortcuts");
  const asked: string[] = [];
  const answering = (answers: string[]) => async (question: string) => {
    asked.push(question);
    return answers.shift() ?? "";
  };
  const yes = await it.call("workspace.init", {}, { ask: answering(["p1", "shop", "yes"]) });
  expect(yes).toMatchObject({ ok: true, data: { name: "p1", template: { name: "shop" }, confirmed: true } });
  expect(asked).toHaveLength(3);
  expect(asked[2]).toContain("Acme/api");
  const no = await it.call("workspace.init", { name: "p2", template: "shop" }, { ask: answering(["no"]) });
  expect(no.error?.code).toBe("E_CONFIRMATION_REQUIRED");
});

test("WS-116, CT-18: who is asked may choose the default, also where no registry can be reached", async () => {
  await using it = testApp({ manifest: null, env: nowhere });
  const answers = ["p1", "blank"];
  const made = await it.call("workspace.init", {}, { ask: async () => answers.shift() ?? "" });
  expect(made.data).toMatchObject({ name: "p1", template: { name: "writ/blank" } });
});

test("WS-2, CT-23: over HTTP init makes workspaces below the served folder only", async () => {
  await using it = testApp({ env: nowhere });
  const made = await it.call("token.create", { role: "member" });
  const far = {
    surface: "http" as const,
    credential: { token: String(made.data.token) },
    where: { flag: it.root },
  };
  const out = await it.call("workspace.init", { name: "sub", template: "writ/blank", target: "../sub" }, far);
  expect(out.error).toMatchObject({ code: "E_UNSAFE_PATH", category: "policy" });
  const below = await it.call("workspace.init", { name: "sub", template: "writ/blank" }, far);
  expect(below.data).toMatchObject({ workspace: { root: join(it.root, "sub"), source: "init" } });
  expect(await events(it, join(it.root, "sub"))).toMatchObject([{ actor: "client:member-token" }]);
  const file = await it.call("workspace.templates", { registry: "file:///etc/x" }, far);
  expect(file.error).toMatchObject({ code: "E_UNSAFE_URL" });
});

test("WS-56: init writes through no link", async () => {
  await using it = testApp({ manifest: null, env: nowhere });
  const outside = join(it.home, "outside.yml");
  writeFileSync(outside, "theirs");
  mkdirSync(join(it.root, "x1"));
  symlinkSync(outside, join(it.root, "x1", "workspace.yml"));
  const { error } = await it.call("workspace.init", { name: "x1", template: "writ/blank" });
  expect(error).toMatchObject({ code: "E_UNSAFE_LINK" });
  expect(readFileSync(outside, "utf8")).toBe("theirs");
});

test("WS-26: a registry is held to the rules of any source", async () => {
  await using it = testApp({ manifest: null, env: nowhere });
  const unsafe = await it.call("workspace.init", { name: "a", registry: "ext::sh -c true" });
  expect(unsafe.error).toMatchObject({ code: "E_UNSAFE_URL", details: { input: "--registry" } });
  const shortcut = await it.call("workspace.init", { name: "a", registry: "core" });
  expect(shortcut.error).toMatchObject({ code: "E_INVALID_VALUE" });
  expect(readdirSync(it.root)).toEqual([]);
});

test("WS-32: a registry given by flag is used, and named again in what comes next", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  await using it = atFixture(f, { WRIT_REGISTRY: "acme/agent-stack" });
  const answer = await it.call("workspace.init", { name: "a", registry: "t/core" });
  expect(answer.data).toMatchObject({
    template: { repo: "t/core" },
    next: ["WRIT_REGISTRY=t/core writ bootstrap --workspace a"],
  });
});

test("AG-158, WS-112: an event that could not be written is owed, and written by the next call that may", async () => {
  await using it = testApp({ manifest: null, env: nowhere });
  const root = join(it.root, "shop");
  mkdirSync(join(root, ".writ"), { recursive: true });
  writeFileSync(
    join(root, ".writ", "writ.db"),
    "this is no database, and long enough to be looked at".repeat(40),
  );
  const first = await it.call("workspace.init", { name: "shop", template: "writ/blank" });
  expect(first).toMatchObject({ ok: true, data: { changed: true }, warnings: [{ code: "W_LEDGER_OWED" }] });
  rmSync(join(root, ".writ", "writ.db"));
  await it.call("workspace.init", { name: "shop", template: "writ/blank" });
  await it.call("workspace.init", { name: "shop", template: "writ/blank" });
  expect(await events(it, root)).toMatchObject([{ capability: "workspace.init" }]);
});

test("WS-114: the example composes offline, and an edit of its stack flows", async () => {
  await using it = testApp({ manifest: null, env: { ...nowhere, WRIT_OFFLINE: "1" } });
  const made = await it.call("workspace.init", { name: "demo", template: "writ/example" });
  const root = join(it.root, "demo");
  expect(made).toMatchObject({ ok: true, data: { confirmed: false }, warnings: [] });
  const composed = await it.call("workspace.bootstrap", {}, { where: { flag: root } });
  expect(composed.error).toBeNull();
  expect(composed.warnings.map(({ code }) => code)).not.toContain("W_SKILL_RULES");
  for (const file of [
    "AGENTS.md",
    "CLAUDE.md",
    ".agents/skills/review-a-change/SKILL.md",
    ".agents/workflows/fix-a-bug.md",
  ]) {
    expect(existsSync(join(root, file))).toBe(true);
  }
  expect(composed.data.skills).toEqual([expect.objectContaining({ name: "review-a-change", problems: [] })]);
  writeFileSync(join(root, "stack/rules/be-brief.md"), "Changed.\n");
  await it.call("workspace.sync", {}, { where: { flag: root } });
  expect(readFileSync(join(root, ".agents/rules/be-brief.md"), "utf8")).toBe("Changed.\n");
});

test("CT-32: a call that needs no registry is judged as one that uses no network", async () => {
  await using it = testApp({ manifest: null, env: nowhere });
  const capability = await it.app.commands.load("workspace.init");
  const schema = await inputOf(capability);
  const narrowed = (input: Record<string, unknown>) => capability.narrow?.(schema.parse(input));
  expect(narrowed({ name: "a", template: "writ/blank" })).toEqual({ network: "never" });
  expect(narrowed({ name: "a", offline: true })).toEqual({ network: "never" });
  expect(narrowed({ name: "a" })).toEqual({});
});
