import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { traps } from "../fakes/openalex/works.ts";
import { openResearch, seededOnce } from "./workspace.ts";

interface Proposal {
  proposal: string;
  keep: string;
  drop: string;
  score: number;
  vetoed?: string;
}

const active = "SELECT count(*) AS n FROM papers WHERE active";

describe("duplicates", () => {
  const trapped = seededOnce(traps, "trap");

  test("RL-110, RL-111: a proposal that is confirmed makes one paper, and undone two again", async () => {
    const { ok, rows, failure } = await trapped();
    const before = await rows(active);
    const row = "SELECT id, row_hash, title FROM papers WHERE active ORDER BY id";
    const papers = await rows(row);
    const proposed = await ok("curate.duplicates", { kind: ["paper"] });
    const [one] = proposed.proposals as Proposal[];
    expect(proposed).toMatchObject({ count: 1, total: 1, method: { paper: expect.any(String) } });
    expect(one).toMatchObject({ keep: "doi:08264e944675a853", score: 100 });
    const merged = await ok("curate.merge", { proposal: [one?.proposal] });
    expect(merged).toMatchObject({ changed: true, merged: [{ keep: one?.keep, drop: one?.drop }] });
    expect(await rows(active)).toEqual([{ n: Number(before[0]?.n) - 1 }]);
    const shown = await ok("read.show", { id: one?.keep });
    const other = await ok("read.show", { id: one?.drop });
    expect(other.id ?? (other.paper as { id: string }).id).toEqual(
      shown.id ?? (shown.paper as { id: string }).id,
    );
    expect(await ok("curate.duplicates", { kind: ["paper"] })).toMatchObject({
      proposals: [],
      reason: expect.any(String),
    });
    expect(await ok("curate.merge", { proposal: [one?.proposal] })).toMatchObject({
      changed: false,
      run_id: null,
      reason: `${one?.drop} was merged into ${one?.keep} before, by ${String(merged.run_id)}.`,
    });
    expect(await failure("curate.merge", { proposal: ["mrg_0123456789abcdef"] })).toMatchObject({
      code: "E_NOT_FOUND",
      details: { missing: ["mrg_0123456789abcdef"] },
    });
    await ok("curate.undo", { run: merged.run_id });
    expect(await rows(row)).toEqual(papers);
    expect(((await ok("curate.duplicates", { kind: ["paper"] })).proposals as Proposal[])[0]).toEqual(one);
  });

  test("RL-111: the paper that is named to be kept is kept, by whatever id each is named", async () => {
    const { ok, rows, failure } = await trapped();
    const [kept, dropped] = await rows<{ id: string; doi: string }>(
      "SELECT id, doi FROM papers WHERE active AND doi IS NOT NULL ORDER BY id DESC LIMIT 2",
    );
    const pair = { kind: "paper", keep: kept?.doi, drop: dropped?.id, force: true };
    expect(await ok("curate.merge", pair)).toMatchObject({ merged: [{ keep: kept?.id, drop: dropped?.id }] });
    expect(await failure("curate.merge", { ...pair, keep: "no such", drop: "nor such" })).toMatchObject({
      code: "E_NOT_FOUND",
      details: { missing: ["no such", "nor such"] },
    });
  });

  test("RL-109, RL-111: what was merged either way, with undoing between, is one", async () => {
    const { ok, root } = await openResearch({ works: [] });
    writeFileSync(join(root, "words.ris"), "TY  - JOUR\nTI  - On\nKW  - Café\nKW  - tearoom\nER  - \n");
    await ok("seed", { from_file: "words.ris" });
    const [cafe, tearoom] = ["CAFÉ", "Tearoom "];
    const first = await ok("curate.merge", { kind: "keyword", keep: cafe, drop: tearoom });
    expect(first.merged).toMatchObject([{ keep: "cafe", drop: "tearoom" }]);
    const undone = await ok("curate.undo", { run: first.run_id });
    await ok("curate.merge", { kind: "keyword", keep: tearoom, drop: cafe });
    await ok("curate.undo", { run: undone.run_id });
    expect(await ok("curate.merge", { kind: "keyword", keep: cafe, drop: tearoom })).toMatchObject({
      changed: false,
      reason: "They are one already.",
    });
    const built = await ok("build", { networks: ["keyword_cooccurrence"] });
    expect(built.empty_networks).toMatchObject([{ reason: "1 of 1 papers have a keyword, none has two" }]);
  });

  test("RL-113, RL-114: keywords that only look alike stay two, and are merged by force alone", async () => {
    const { ok, root, failure, rows } = await openResearch({ works: [] });
    const words = [
      "supervised-learning",
      "unsupervised-learning",
      "type-1-diabetes",
      "type-2-diabetes",
      "neural-network",
      "neural-networks",
    ];
    const file = join(root, "words.ris");
    writeFileSync(
      file,
      words.map((word) => `TY  - JOUR\nTI  - On ${word}\nKW  - ${word}\nER  - \n`).join("\n"),
    );
    await ok("seed", { from_file: file });
    const found = await ok("curate.duplicates", { kind: ["keyword"] });
    expect(found.proposals).toMatchObject([
      { keep: "neural-network", drop: "neural-networks", score: 96.55 },
    ]);
    expect(found).toMatchObject({ vetoed_count: 2 });
    const all = await ok("curate.duplicates", { kind: ["keyword"], show_vetoed: true });
    expect((all.proposals as Proposal[]).map(({ vetoed }) => vetoed)).toEqual([
      undefined,
      "prefix",
      "number",
    ]);
    const pair = { kind: "keyword", keep: "type-1-diabetes", drop: "type-2-diabetes" };
    expect(await failure("curate.merge", pair)).toMatchObject({ code: "E_INVALID_VALUE", exit_code: 2 });
    expect(await ok("curate.merge", { ...pair, force: true })).toMatchObject({ changed: true });
    expect(await ok("curate.merge", pair)).toMatchObject({ changed: false, reason: "They are one already." });
    expect(
      await ok("curate.merge", { proposal: (found.proposals as Proposal[]).map((one) => one.proposal) }),
    ).toMatchObject({
      merged: [{ keep: "neural-network", drop: "neural-networks" }],
    });
    expect(await rows("SELECT kind, alias, canon FROM entity_map ORDER BY alias")).toEqual([
      { kind: "keyword", alias: "neural-networks", canon: "neural-network" },
      { kind: "keyword", alias: "type-2-diabetes", canon: "type-1-diabetes" },
    ]);
    expect(await rows("SELECT DISTINCT len(keywords_raw) AS n FROM papers")).toEqual([{ n: 1 }]);
    expect(await ok("curate.duplicates", { kind: ["keyword"], show_vetoed: true })).toMatchObject({
      total: 1,
    });
    expect(await failure("curate.merge", {})).toMatchObject({ code: "E_MISSING_INPUT", exit_code: 1 });
    expect(await failure("curate.merge", { ...pair, proposal: ["mrg_0123456789abcdef"] })).toMatchObject({
      code: "E_CONFLICTING_INPUT",
      exit_code: 1,
    });
    expect(
      await failure("curate.merge", { kind: "keyword", keep: "neural-network", drop: "x" }),
    ).toMatchObject({
      code: "E_NOT_FOUND",
    });
  });
});
