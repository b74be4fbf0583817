import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { alpha } from "../../fakes/openalex/works.ts";
import { bibtex, openCommands } from "./commands.ts";

/** Each file below a folder with the time of its last change. */
function timesOf(folder: string): Record<string, number> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(
    files.map((one) => {
      const path = join(one.parentPath, one.name);
      return [path, statSync(path).mtimeMs];
    }),
  );
}

describe("the contract, as research keeps it", () => {
  test("CT-1, RL-19: init answers one line of seven fields, and makes the library", async () => {
    const { type, folder, root, ask } = await openCommands([], { init: false });
    const ran = await type("init fresh --template research --json --quiet", { cwd: folder });
    expect([ran.code, ran.stderr, ran.stdout.split("\n").length]).toEqual([0, "", 2]);
    const answer = ran.envelope();
    expect(Object.keys(answer)).toEqual([
      "schema",
      "ok",
      "command",
      "exit_code",
      "data",
      "warnings",
      "error",
    ]);
    expect(answer).toMatchObject({ schema: "1", ok: true, data: { research: { schema_version: "1" } } });
    const fresh = join(root, "..", "fresh");
    const files = [".writ/research/library.duckdb", "equation.yml", "demo/works.jsonl"];
    expect(Object.keys(timesOf(fresh))).toEqual(
      expect.arrayContaining(files.map((file) => join(fresh, file))),
    );
    const before = timesOf(fresh);
    const again = await ask("init fresh --template research", { cwd: folder });
    expect(again).toMatchObject({ exit_code: 0, data: { changed: false } });
    expect(timesOf(fresh)).toEqual(before);
    const manifest = join(fresh, "workspace.yml");
    writeFileSync(manifest, `${readFileSync(manifest, "utf8")}# mine\n`);
    const edited = timesOf(fresh);
    const refused = await ask("init fresh --template research", { cwd: folder });
    expect(refused).toMatchObject({ ok: false, error: { code: "E_EXISTS" } });
    expect(timesOf(fresh)).toEqual(edited);
  });

  test("CT-2: every command that resolved a workspace names it, also when it fails; others name none", async () => {
    const { ask, root, write, folder } = await openCommands();
    write("k.bib", bibtex);
    const lines = [
      "research seed --from-file k.bib",
      "research chain --preview",
      "research curate dump",
      "research build",
      "research read list",
      "research export --format csv",
      "research snapshot create",
      "research status",
      "research validate",
      "research read show --id nope",
    ];
    for (const line of lines) {
      const { data, exit_code: code } = await ask(line);
      expect(data.workspace, line).toEqual({ root, source: "cwd" });
      expect(code, line).toBe(line.endsWith("nope") ? 2 : 0);
    }
    for (const line of ["schema", "skill providers", "research seed --equation alpha --preview"]) {
      const { data, error } = await ask(line, { cwd: folder });
      expect(error, line).toBeNull();
      expect(data, line).not.toHaveProperty("workspace");
    }
  });

  test("CT-22: a flag that does not exist is refused with the nearest one, as JSON where JSON is on", async () => {
    const { type } = await openCommands([], { init: false });
    const ran = await type("research build --nope", { env: { WRIT_JSON: "1" } });
    expect(ran.code).toBe(1);
    expect(ran.envelope()).toMatchObject({ exit_code: 1, error: { code: "USAGE_ERROR" } });
    expect(JSON.stringify(ran.envelope().error)).toMatch(/--no-/);
  });

  test.each([
    ["accept", "curate accept"],
    ["reject", "curate reject"],
    ["filter", "curate filter"],
    ["networks", "build"],
    ["monitor", "chain --since"],
    ["inspect", "read"],
    ["enrich", "seed --resolve"],
    ["resolve", "seed --resolve"],
    ["restore", "snapshot restore"],
  ])("RL-12: %s leads to %s", async (word, now) => {
    const { ask } = await openCommands([], { init: false });
    const answer = await ask(`research ${word}`);
    expect(answer).toMatchObject({ ok: false, exit_code: 1 });
    expect(answer.error?.remediation).toContain(`writ research ${now}`);
  });

  test("CT-25: schema needs no workspace, makes no file, and tells each exit code", async () => {
    const { ask, folder } = await openCommands([], { init: false });
    const before = timesOf(folder);
    const answer = await ask("schema", { cwd: folder });
    expect(answer).toMatchObject({ exit_code: 0, data: { contract_version: "1" } });
    const codes = answer.data.exit_codes as Record<string, unknown> | unknown[];
    const listed = Array.isArray(codes)
      ? codes.map((one) => String((one as { code: number }).code))
      : Object.keys(codes);
    expect(listed).toEqual(expect.arrayContaining(["0", "1", "2", "3", "4", "5"]));
    expect(timesOf(folder)).toEqual(before);
  });

  test("CT-13, CT-26, RL-12: WRIT_JSON is read as a yes or a no, and a group prints its help", async () => {
    const { type, root } = await openCommands();
    const isJson = async (value: string) =>
      (await type("research status", { env: { WRIT_JSON: value } })).stdout.startsWith("{");
    expect(await Promise.all(["TRUE", "yes", "1"].map(isJson))).toEqual([true, true, true]);
    expect(await Promise.all(["0", "no", ""].map(isJson))).toEqual([false, false, false]);
    for (const group of ["", " curate", " read", " snapshot"]) {
      const ran = await type(`research${group}`, { cwd: root });
      expect(ran.code, group).toBe(0);
      expect(ran.stdout, group).toContain(`writ research${group}`);
    }
  });

  test("CT-13: a chain that fetches prints one document and a newline", async () => {
    const { type, data } = await openCommands(alpha);
    await data("research seed --equation alpha");
    const ran = await type("research chain --json");
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^\{.*\}\n$/);
    expect(ran.envelope()).toMatchObject({ ok: true, data: { new_candidates: 4 } });
  });

  test("RL-19, RL-167: a library that is broken, and one that is missing, are told apart, in the one form", async () => {
    const { ask, data, root } = await openCommands(alpha);
    const file = join(root, ".writ/research/library.duckdb");
    await data("research seed --equation alpha");
    const { snapshot_dir: snapshot } = await data("research snapshot create");
    writeFileSync(file, Buffer.from([7, 1, 2, 3, 9, 9, 0, 1, 4, 2]));
    const broken = await ask("research status");
    const where = { ok: false, exit_code: 5, data: { workspace: { root, source: "cwd" } } };
    expect(broken).toMatchObject({ ...where, error: { code: "E_LIBRARY_CORRUPT" } });
    expect(JSON.stringify(broken.error)).toContain(String(snapshot).split("/").at(-1));
    rmSync(file);
    expect(await ask("research status")).toMatchObject({ ...where, error: { code: "E_LIBRARY_MISSING" } });
    // A line that nobody can read has no workspace, and the same form.
    const unread = await ask("research read show --nope");
    expect(unread).toMatchObject({ schema: "1", ok: false, exit_code: 1, error: { code: "USAGE_ERROR" } });
  });
});
