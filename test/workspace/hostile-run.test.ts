import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFixtureF, makeWorkspaceW, type FixtureF } from "../fixtures/fixture-f.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { bootstrap, snapshot } from "../support/workspace-runs.ts";

const manifest = (stacks: string, schema = "awac/2") => `name: demo\nschema: ${schema}\nstacks: ${stacks}\n`;

function workspace(f: FixtureF, text: string, name = "h"): string {
  const root = join(f.folder, name);
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "workspace.yml"), text);
  return root;
}

describe("a place that is a link", () => {
  const state = ["kept", "staging", "run.lock", "journal.json", "applied.json", "undo.json", "backups.json"];
  const places = ["CLAUDE.md", ".agents", ".stack", "workspace.lock.yml", "api", ".writ", ".writ/workspace"];
  test.for([...places, ...state.map((name) => `.writ/workspace/${name}`)])(
    "WC-F1, WS-56: %s is refused, and what it leads to stays as it was",
    async (place) => {
      using temp = tempFolder();
      const f = makeFixtureF(temp.path);
      const root = makeWorkspaceW(f);
      const folder = join(temp.path, "elsewhere");
      mkdirSync(folder);
      const outside = join(folder, "target");
      if (/\.(yml|md|json|lock)$/.test(place)) writeFileSync(outside, "");
      else mkdirSync(outside);
      mkdirSync(dirname(join(root, place)), { recursive: true });
      symlinkSync(outside, join(root, place));
      const mode = statSync(outside).mode;
      const before = [snapshot(folder), snapshot(root)];
      await expect(bootstrap(f, root)).rejects.toMatchObject({ code: "E_UNSAFE_LINK" });
      expect(statSync(outside).mode).toBe(mode);
      expect([snapshot(folder), snapshot(root)]).toEqual(before);
    },
  );
});

test("WS-56: a run drops nothing behind a link in the place of its kept files, and writes to nobody's file", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  const root = makeWorkspaceW(f);
  mkdirSync(join(root, ".writ/workspace"), { recursive: true });
  for (const name of ["docs/thesis.txt", "docs/photo.jpg", "profile"]) {
    mkdirSync(dirname(join(temp.path, "mine", name)), { recursive: true });
    writeFileSync(join(temp.path, "mine", name), "mine\n");
  }
  const before = snapshot(join(temp.path, "mine"));
  symlinkSync(join(temp.path, "mine/docs"), join(root, ".writ/workspace/kept"));
  await expect(bootstrap(f, root)).rejects.toMatchObject({
    code: "E_UNSAFE_LINK",
    failure: { details: { path: ".writ/workspace/kept" } },
  });
  rmSync(join(root, ".writ/workspace/kept"));
  symlinkSync(join(temp.path, "mine/profile"), join(root, ".writ/workspace/run.lock.owner"));
  await bootstrap(f, root);
  expect(snapshot(join(temp.path, "mine"))).toEqual(before);
});

describe("a hostile stack", () => {
  test("WC-F3, WS-57: hooks, filters, attributes, links and submodules of a stack take no effect", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const canary = join(temp.path, "canary");
    f.host.repo("bad/agent-stack", {
      files: {
        "rules/ok.md": "OK\r\n",
        "rules/link.md": { mode: "120000", content: "/etc/passwd" },
        "skills/sub": { mode: "160000", content: "1".repeat(40) },
        ".gitattributes": "* filter=evil\n",
        ".gitmodules": '[submodule "sub"]\n\tpath = skills/sub\n\turl = ext::sh -c touch% canary\n',
        "hooks/post-checkout": { mode: "100755", content: `#!/bin/sh\ntouch ${canary}\n` },
        "rules/run.sh": { mode: "100755", content: "#!/bin/sh\n" },
      },
    });
    const root = workspace(f, manifest("[bad/agent-stack]"));
    const { data, warned } = await bootstrap(f, root);
    expect(existsSync(canary)).toBe(false);
    expect(readFileSync(join(root, ".agents/rules/ok.md"), "utf8")).toBe("OK\r\n");
    expect(statSync(join(root, ".agents/rules/run.sh")).mode & 0o777).toBe(0o755);
    expect(data.skipped).toEqual([
      { path: "bad/agent-stack:rules/link.md", reason: "link" },
      { path: "bad/agent-stack:skills/sub", reason: "submodule" },
    ]);
    expect(warned).toContain("W_STACK_LINK");
    expect(existsSync(join(root, ".agents/rules/link.md"))).toBe(false);
  });

  test("WC-F6, WS-20, WS-59: a broken awac.yml and a huge file are refused, naming stack and file", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const broken = ["repos: [{org: x}]\n", "repos: [{name: p, branch_default: 19.0}]\n", "- a\n", "a: [\n"];
    for (const [at, text] of broken.entries()) {
      f.host.repo(`bad${at}/agent-stack`, { files: { "awac.yml": text } });
      const root = workspace(f, manifest(`[bad${at}/agent-stack]`), `b${at}`);
      await expect(bootstrap(f, root)).rejects.toMatchObject({
        code: "E_INVALID_STACK",
        failure: { details: { stack: `bad${at}/agent-stack`, file: "awac.yml" } },
      });
      expect(Object.keys(snapshot(root))).toEqual(["workspace.yml"]);
    }
    f.host.repo("huge/agent-stack", { files: { "rules/big.md": Buffer.alloc(6 * 1024 * 1024, 97) } });
    await expect(bootstrap(f, workspace(f, manifest("[huge/agent-stack]"), "big"))).rejects.toMatchObject({
      code: "E_LIMIT",
    });
  });

  test("WC-F6: a README that is no text is mirrored as bytes", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x41]);
    f.host.repo("p/agent-stack", { files: { "awac.yml": "product: p\n", "README.md": bytes } });
    const root = workspace(f, manifest("[p/agent-stack]"));
    await bootstrap(f, root);
    expect(readFileSync(join(root, ".stack/p/README.md"))).toEqual(bytes);
  });

  test("WC-F7, WS-58: a file in one stack and a folder of that name in another are refused, both named", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    f.host.repo("a/agent-stack", { files: { "rules/x": "x" } });
    f.host.repo("b/agent-stack", { files: { "rules/x/y.md": "y" } });
    const root = workspace(f, manifest("[a/agent-stack, b/agent-stack]"));
    const refusal = bootstrap(f, root);
    await expect(refusal).rejects.toMatchObject({ code: "E_PATH_CONFLICT" });
    await expect(refusal).rejects.toSatisfy((error) =>
      /a\/agent-stack.*b\/agent-stack/s.test(JSON.stringify((error as { failure: unknown }).failure)),
    );
    expect(Object.keys(snapshot(root))).toEqual(["workspace.yml"]);
  });

  test("WS-67: hidden text warns, and a strict run refuses it", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    f.host.repo("z/agent-stack", { files: { "rules/h.md": "a\u202Eb\n" } });
    const root = workspace(f, manifest("[z/agent-stack]"));
    await expect(bootstrap(f, root, { strict: true })).rejects.toMatchObject({ code: "E_HIDDEN_TEXT" });
    expect((await bootstrap(f, root)).warned).toContain("W_HIDDEN_TEXT");
  });
});

describe("a registry", () => {
  test("WC-F8, WC-B7: one that is broken or missing is told as such, and so is a shortcut to nowhere", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const registries = {
      "r1/reg": { "rules/a.md": "a" },
      "r2/reg": { "awac.yml": "a: [\n" },
      "r3/reg": { "awac.yml": "shortcuts:\n  core: core\n" },
    };
    for (const [name, files] of Object.entries(registries)) {
      f.host.repo(name, { files: files as Record<string, string> });
      const root = workspace(f, manifest("[core]"), name.replace("/", "-"));
      await expect(bootstrap({ env: { ...f.env, WRIT_REGISTRY: name } }, root)).rejects.toMatchObject({
        code: "E_INVALID_REGISTRY",
      });
    }
    f.host.repo("l/reg", { files: { "awac.yml": "shortcuts:\n  core: t/core\n  lazy: lazy/agent-stack\n" } });
    const root = workspace(f, manifest("[core, lazy]"), "lazy");
    await expect(bootstrap({ env: { ...f.env, WRIT_REGISTRY: "l/reg" } }, root)).rejects.toMatchObject({
      code: "E_LAZY_STACK",
      failure: { remediation: expect.stringContaining("writ scaffold stack lazy") },
    });
    expect(Object.keys(snapshot(root))).toEqual(["workspace.yml"]);
  });
});

describe("a folder that cannot be written", () => {
  test.skipIf(process.getuid?.() === 0)(
    "WC-G2, WS-98: a read-only workspace is STORE_ERROR with nothing changed",
    async () => {
      using temp = tempFolder();
      const f = makeFixtureF(temp.path);
      const root = makeWorkspaceW(f);
      chmodSync(root, 0o555);
      await expect(bootstrap(f, root)).rejects.toMatchObject({ code: "STORE_ERROR" });
      chmodSync(root, 0o755);
    },
  );

  test("WC-G2, WS-98: state that is a file is STORE_ERROR, and earlier files stay", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const root = makeWorkspaceW(f);
    await bootstrap(f, root);
    rmSync(join(root, ".writ"), { recursive: true });
    writeFileSync(join(root, ".writ"), "");
    await expect(bootstrap(f, root)).rejects.toMatchObject({ code: "STORE_ERROR" });
    expect(readFileSync(join(root, ".agents/rules/r1.md"), "utf8")).toBe("RA\n");
  });
});
