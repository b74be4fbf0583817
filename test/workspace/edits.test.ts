import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFixtureF, makeWorkspaceW, type FixtureF } from "../fixtures/fixture-f.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { renderRun } from "../../packages/writ/src/workspace/run/run-render.ts";
import { styleFor } from "../../packages/writ/src/surfaces/cli/render.ts";
import { bootstrap, updateDuring, snapshot, sync } from "../support/workspace-runs.ts";

const r1 = ".agents/rules/r1.md";

async function composed(
  folder: string,
): Promise<{ f: FixtureF; root: string; at: (path: string) => string; read: (path: string) => string }> {
  const f = makeFixtureF(folder);
  const root = makeWorkspaceW(f);
  await bootstrap(f, root);
  const at = (path: string) => join(root, path);
  return { f, root, at, read: (path) => readFileSync(at(path), "utf8") };
}

describe("a file that was edited here", () => {
  test("WC-E1, WS-84 row 8: it is kept while its source stands still", async () => {
    using temp = tempFolder();
    const { f, root, at, read } = await composed(temp.path);
    writeFileSync(at(r1), "MINE\n");
    const { data, warned } = await sync(f, root);
    expect(read(r1)).toBe("MINE\n");
    expect(data.edited).toEqual([r1]);
    expect(data.changed).toBe(false);
    expect(warned).toContain("W_EDITS_KEPT");
  });

  test("WS-84 row 10, WS-86: changed on both sides it is kept, and the other side is shown", async () => {
    using temp = tempFolder();
    const { f, root, at, read } = await composed(temp.path);
    writeFileSync(at(r1), "MINE\n");
    f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
    const { data, warned } = await sync(f, root);
    expect(read(r1)).toBe("MINE\n");
    expect(data.conflicts).toMatchObject([
      { path: r1, reason: "both_changed", theirs_path: `.agents/.conflicts/${r1}.theirs` },
    ]);
    expect(read(`.agents/.conflicts/${r1}.theirs`)).toBe("RB\n");
    expect(read(`.agents/.conflicts/${r1}.base`)).toBe("RA\n");
    expect(warned).toContain("W_CONFLICT");
    const again = await bootstrap(f, root);
    expect(again.data.changed).toBe(false);
    expect(again.data.conflicts).toHaveLength(1);
    writeFileSync(at(r1), "RB\n");
    const settled = await bootstrap(f, root);
    expect(settled.data.conflicts).toEqual([]);
    expect(existsSync(at(".agents/.conflicts"))).toBe(false);
  });

  test("WS-87: a strict run refuses a conflict in the plan and writes nothing", async () => {
    using temp = tempFolder();
    const { f, root, at } = await composed(temp.path);
    writeFileSync(at(r1), "MINE\n");
    f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
    const before = snapshot(root);
    const refusal = sync(f, root, { strict: true });
    await expect(refusal).rejects.toMatchObject({
      code: "E_LOCAL_EDITS",
      failure: { details: { conflicts: [{ path: r1, reason: "both_changed" }] } },
    });
    expect(snapshot(root)).toEqual(before);
  });

  test("WS-88: theirs takes the new text and keeps the old under a name that data tells", async () => {
    using temp = tempFolder();
    const { f, root, at, read } = await composed(temp.path);
    writeFileSync(at(r1), "MINE\n");
    f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
    const { data } = await sync(f, root, { theirs: [r1] });
    expect(read(r1)).toBe("RB\n");
    expect(data.backups).toHaveLength(1);
    expect(read(data.backups[0]?.backup ?? "")).toBe("MINE\n");
    f.acme.commit({ files: { "rules/r1.md": "RC\n" } });
    await sync(f, root);
    f.acme.commit({ files: { "rules/r1.md": "RD\n" } });
    await sync(f, root);
    expect(read(data.backups[0]?.backup ?? "")).toBe("MINE\n");
    expect(read(".writ/workspace/backups.json")).toContain(r1);
  });

  test("WS-88: ours ends the conflict, and the file is edited from then on", async () => {
    using temp = tempFolder();
    const { f, root, at, read } = await composed(temp.path);
    writeFileSync(at(r1), "MINE\n");
    f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
    await sync(f, root);
    const { data } = await bootstrap(f, root, { ours: ["."] });
    expect(data.conflicts).toEqual([]);
    expect(data.edited).toEqual([r1]);
    expect(read(r1)).toBe("MINE\n");
    expect(existsSync(at(".agents/.conflicts"))).toBe(false);
    expect((await bootstrap(f, root)).data.edited).toEqual([r1]);
  });

  test("WS-88: a merge that is clean is written, one that is not stays a conflict", async () => {
    using temp = tempFolder();
    const { f, root, at, read } = await composed(temp.path);
    const lines = (first: string, last: string) => `${first}\n2\n3\n4\n5\n${last}\n`;
    f.acme.commit({ files: { "rules/r1.md": lines("one", "six"), "rules/r2.md": "a\n" } });
    await sync(f, root);
    writeFileSync(at(r1), lines("ONE", "six"));
    writeFileSync(at(".agents/rules/r2.md"), "mine\n");
    f.acme.commit({ files: { "rules/r1.md": lines("one", "SIX"), "rules/r2.md": "theirs\n" } });
    const { data } = await sync(f, root, { merge: true });
    expect(read(r1)).toBe(lines("ONE", "SIX"));
    expect(read(".agents/rules/r2.md")).toBe("mine\n");
    expect(data.conflicts.map(({ path }) => path)).toEqual([".agents/rules/r2.md"]);
    const again = await bootstrap(f, root);
    expect(again.data.edited).toEqual([r1]);
    expect(again.data.changed).toBe(false);
  });

  test("WS-88: a conflict no merge can end says why, and only a side of it is offered", async () => {
    using temp = tempFolder();
    const { f, root, at } = await composed(temp.path);
    writeFileSync(at(r1), "MINE\n");
    f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
    const { data, ctx } = await sync(f, root, { merge: true });
    expect(data.conflicts).toMatchObject([{ path: r1, reason: "both_changed", unmerged: "same_lines" }]);
    const ends = [`writ diff ${r1} --patch`, `writ sync --theirs ${r1}`, `writ sync --ours ${r1}`];
    expect(data.next).toEqual(ends);
    const warning = ctx.warnings.find(({ code }) => code === "W_CONFLICT");
    expect(warning?.message).toContain(`No merge by line: both sides changed the same lines (${r1}).`);
    expect(warning?.remediation).not.toContain("--merge");
  });

  test("WS-88: where a merge would end a conflict it is offered", async () => {
    using temp = tempFolder();
    const { f, root, at } = await composed(temp.path);
    f.acme.commit({ files: { "rules/r1.md": "1\n2\n3\n4\n5\n" } });
    await sync(f, root);
    writeFileSync(at(r1), "one\n2\n3\n4\n5\n");
    f.acme.commit({ files: { "rules/r1.md": "1\n2\n3\n4\nfive\n" } });
    const { data } = await sync(f, root);
    expect(data.conflicts[0]?.unmerged).toBeUndefined();
    expect(data.next).toContain("writ sync --merge");
  });

  test("WS-88: a side of what is in no conflict is refused with the nearest that is, and nothing changes", async () => {
    using temp = tempFolder();
    const { f, root, at, read } = await composed(temp.path);
    writeFileSync(at(r1), "MINE\n");
    f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
    await sync(f, root);
    for (const input of [{ theirs: [".agents/rules/r.md"] }, { ours: [".agents/rules/r.md"] }]) {
      await expect(bootstrap(f, root, input)).rejects.toMatchObject({
        code: "E_NOT_FOUND",
        failure: { details: { nearest: r1 } },
      });
    }
    await expect(bootstrap(f, root, { ours: [".agents/workflows/w1.md"] })).rejects.toMatchObject({
      code: "E_NOT_FOUND",
      failure: { cause: 'Its state is "clean".' },
    });
    expect(read(r1)).toBe("MINE\n");
  });

  test("WS-134: a run that only keeps an edit says so as one thought", async () => {
    using temp = tempFolder();
    const { f, root, at } = await composed(temp.path);
    writeFileSync(at(r1), "MINE\n");
    const { data } = await bootstrap(f, root);
    expect(renderRun(data, styleFor(false)).split("\n")[0]).toContain(
      "Up to date; 1 file you edited is kept.",
    );
  });

  test("WC-E2, WS-84 rows 7 and 11: what its source dropped goes, unless it was edited", async () => {
    using temp = tempFolder();
    const { f, root, at, read } = await composed(temp.path);
    f.acme.commit({ files: { "rules/deep/r2.md": "R2\n", "rules/r3.md": "R3\n" } });
    await sync(f, root);
    writeFileSync(at(".agents/rules/r3.md"), "MINE\n");
    f.acme.commit({ remove: ["rules/deep/r2.md", "rules/r3.md"] });
    const { data } = await sync(f, root);
    expect(existsSync(at(".agents/rules/deep"))).toBe(false);
    expect(read(".agents/rules/r3.md")).toBe("MINE\n");
    expect(data.edited).toContain(".agents/rules/r3.md");
    expect(read(".writ/workspace/applied.json")).toContain("orphan_edited");
  });

  test("WS-84 rows 3, 4 and 12, WS-89: a stranger's file is kept, an extra one never touched, a missing one made", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const root = makeWorkspaceW(f);
    mkdirSync(join(root, ".agents/rules"), { recursive: true });
    writeFileSync(join(root, r1), "FOUND\n");
    writeFileSync(join(root, ".agents/rules/mine.md"), "EXTRA\n");
    const { data } = await bootstrap(f, root);
    expect(data.conflicts).toMatchObject([{ path: r1, reason: "no_base" }]);
    expect(readFileSync(join(root, r1), "utf8")).toBe("FOUND\n");
    rmSync(join(root, ".agents/workflows"), { recursive: true });
    const second = await bootstrap(f, root, { theirs: [r1] });
    expect(second.data.backups).toHaveLength(1);
    expect(readFileSync(join(root, r1), "utf8")).toBe("RA\n");
    expect(existsSync(join(root, ".agents/workflows/w1.md"))).toBe(true);
    expect(readFileSync(join(root, ".agents/rules/mine.md"), "utf8")).toBe("EXTRA\n");
  });

  test("WS-85, WS-84 row 2: without a record equal files are adopted and nothing is rewritten", async () => {
    using temp = tempFolder();
    const { f, root, at } = await composed(temp.path);
    rmSync(at(".writ"), { recursive: true });
    const before = snapshot(root);
    const { data } = await bootstrap(f, root);
    const { ".writ/workspace/applied.json": _, ".writ/workspace/undo.json": __, ...after } = snapshot(root);
    expect(after).toEqual(before);
    expect(data.changes.every(({ action }) => action === "adopt")).toBe(true);
    expect((await bootstrap(f, root)).data.changed).toBe(false);
  });

  test("WS-84: text that differs in line endings only is not an edit", async () => {
    using temp = tempFolder();
    const { f, root, at } = await composed(temp.path);
    writeFileSync(at(r1), "RA\r\n");
    const { data } = await bootstrap(f, root);
    expect(data.edited).toEqual([]);
    expect(data.changed).toBe(false);
  });

  test("WS-90: an edit that keeps size and time is still seen", async () => {
    using temp = tempFolder();
    const { f, root, at, read } = await composed(temp.path);
    const applied = JSON.parse(read(".writ/workspace/applied.json")) as {
      files: { path: string; mtime_ns: string }[];
    };
    const seconds = Number(applied.files.find(({ path }) => path === r1)?.mtime_ns) / 1e9;
    rmSync(at(r1));
    writeFileSync(at(r1), "RX\n");
    utimesSync(at(r1), seconds, seconds);
    expect((await bootstrap(f, root)).data.edited).toEqual([r1]);
  });

  test("WS-91: a record that cannot be read is set aside, and edits are still kept", async () => {
    using temp = tempFolder();
    const { f, root, at, read } = await composed(temp.path);
    writeFileSync(at(r1), "MINE\n");
    writeFileSync(at(".writ/workspace/applied.json"), "{");
    const { data, warned } = await bootstrap(f, root);
    expect(warned).toContain("W_STATE_REBUILT");
    expect(data.conflicts).toMatchObject([{ path: r1, reason: "no_base" }]);
    expect(read(r1)).toBe("MINE\n");
  });
});

describe("the shared notes", () => {
  const start = "<!-- @awac:editable-start -->\n";
  const write = (path: string, note: string) =>
    writeFileSync(path, readFileSync(path, "utf8").replace(start, `${start}${note}\n`));

  test("WC-C2, WS-80: a note in one context file reaches the others and outlives every run", async () => {
    using temp = tempFolder();
    const { f, root, at, read } = await composed(temp.path);
    write(at("CLAUDE.md"), "ñ—✓ remember");
    await bootstrap(f, root);
    expect(read("AGENTS.md")).toContain(`${start}ñ—✓ remember\n`);
    f.acme.commit({ files: { "rules/r9.md": "R9\n" } });
    await sync(f, root);
    for (const file of ["CLAUDE.md", "AGENTS.md"]) expect(read(file)).toContain(`${start}ñ—✓ remember\n`);
    write(at("AGENTS.md"), "from the mirror");
    await bootstrap(f, root);
    expect(read("CLAUDE.md")).toContain(`${start}from the mirror\nñ—✓ remember\n`);
  });

  test("WS-79: a context file that stood before is adopted with its text, once", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const root = makeWorkspaceW(f);
    writeFileSync(join(root, "CLAUDE.md"), "# My own\n");
    const { data } = await bootstrap(f, root);
    expect(data.adopted).toEqual(["CLAUDE.md"]);
    expect(
      readFileSync(join(root, "CLAUDE.md"), "utf8").startsWith("# My own\n\n<!-- @awac:header-start -->"),
    ).toBe(true);
    const again = await bootstrap(f, root);
    expect(again.data).toMatchObject({ changed: false, adopted: [] });
  });

  test("WS-77: damaged markers are refused in the plan and nothing has changed", async () => {
    using temp = tempFolder();
    const { f, root, at, read } = await composed(temp.path);
    writeFileSync(at("CLAUDE.md"), read("CLAUDE.md").replace("<!-- @awac:editable-end -->", ""));
    f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
    const before = snapshot(root);
    await expect(sync(f, root)).rejects.toMatchObject({ code: "E_MARKERS_DAMAGED" });
    expect(snapshot(root)).toEqual(before);
  });
});

describe("changes during a run", () => {
  test("WS-92 step 13: a file edited after the commit is kept, and the next run shows the conflict", async () => {
    using temp = tempFolder();
    const { f, root, at, read } = await composed(temp.path);
    f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
    const data = await updateDuring(
      f,
      root,
      (name) => void (name === "g" && writeFileSync(at(r1), "LATE\n")),
    );
    expect(read(r1)).toBe("LATE\n");
    expect(data.conflicts).toMatchObject([{ path: r1 }]);
    expect((await bootstrap(f, root)).data.conflicts).toMatchObject([{ path: r1, reason: "both_changed" }]);
  });

  test("WS-92 step 11: inputs that keep changing end in E_INPUT_CHANGED with nothing changed", async () => {
    using temp = tempFolder();
    const { f, root, at } = await composed(temp.path);
    f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
    const before = snapshot(root);
    let count = 0;
    const touch = (name: string) => {
      if (name === "f")
        writeFileSync(
          at("workspace.yml"),
          `# ${String(count++)}\nname: demo\nschema: awac/2\nstacks: [core, acme]\n`,
        );
    };
    await expect(updateDuring(f, root, touch)).rejects.toMatchObject({ code: "E_INPUT_CHANGED" });
    expect(count).toBe(3);
    const { "workspace.yml": _, ...after } = snapshot(root);
    const { "workspace.yml": __, ...expected } = before;
    expect(after).toEqual(expected);
  });
});
