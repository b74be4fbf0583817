import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { alpha } from "../fakes/openalex/works.ts";
import { runLine } from "../support/terminal.ts";
import { openResearch, type Research, seededOnce } from "./workspace.ts";

/** Two spellings of one title, two works of their own, one whose key has no comma behind it, one without a title. */
const library = `@inproceedings{a, title={Citizen science on reefs}, author={Diaz, Carla}, year={2019}}
@article{b, title={Citizen Science on reefs}, author={Diaz, C.}, year={2019}}
@article{c, title={Bleaching}, year={2018}}
@article{d, title={Acidity}, year={2017}}
@article{bad2018 title={Broken}, year={2018}}
@misc{e, author={Nobody}}
`;
const rehearsal = "A dry run: nothing was changed.";

const withFile = async () => {
  const one = await openResearch({ works: [] });
  writeFileSync(join(one.root, "lib.bib"), library);
  return one;
};
const typed = async ({ app, root }: Research, ...argv: string[]) =>
  (await runLine(app.app, ["research", ...argv], { cwd: root })).stdout;

describe("what a person is told", () => {
  test("RL-40, RL-85: every entry of a file is a new paper, the same work as another, or left out", async () => {
    const one = await withFile();
    const text = await typed(one, "seed", "--from-bib", "lib.bib", "--dry-run");
    expect(text).toMatch(/^Same work +1 entry as another of the file$/m);
    const first = await one.ok("seed", { from_bib: "lib.bib" });
    expect(first).toMatchObject({ entries: 6, papers_new: 3, same_work: { in_file: 1, in_library: 0 } });
    expect(first.skipped).toHaveLength(2);
    expect(await one.ok("seed", { from_bib: "lib.bib" })).toMatchObject({
      papers_new: 0,
      same_work: { in_file: 1, in_library: 3 },
    });
    expect(await one.ok("curate.duplicates", { kind: ["paper"] })).toMatchObject({ count: 0 });
  });

  test("RL-80: a key without a comma behind it is broken syntax, and is said to be", async () => {
    const one = await withFile();
    expect((await one.ok("seed", { from_bib: "lib.bib" })).skipped).toEqual([
      {
        where: "bad2018 (lib.bib:5)",
        entry: 5,
        line: 5,
        reason: "Its syntax is broken: there is no comma between its key and title.",
      },
      { where: "e (lib.bib:6)", entry: 6, line: 6, reason: "It has no title." },
    ]);
  });

  test("RL-103: where nobody waits for a decision, a dump names the command that lists all", async () => {
    const one = await withFile();
    await one.ok("seed", { from_bib: "lib.bib" });
    const text = await typed(one, "curate", "dump");
    expect(text).toContain("All 3 papers are seeds, or are decided already: 0 rows.");
    expect(text).toMatch(/^Next +writ research curate dump --scope all$/m);
    expect(text).not.toContain("Fill in");
    expect(await typed(one, "curate", "dump", "--scope", "all")).toContain("Fill in the column decision");
  });

  test("RL-45, RL-160: after an import, seed and status name the same next step", async () => {
    const one = await withFile();
    const data = await one.ok("seed", { from_bib: "lib.bib" });
    expect(data.next).toEqual(["writ research build"]);
    expect(await one.ok("status")).toMatchObject({ next_command: "writ research build" });
    expect(await typed(one, "status")).toMatch(/^Networks +none is built yet: writ research build$/m);
    writeFileSync(
      join(one.root, "doi.bib"),
      "@article{f, title={With a DOI}, doi={10.5555/f}, year={2020}}\n",
    );
    const other = await one.ok("seed", { from_bib: "doi.bib" });
    expect(other.next).toEqual(["writ research seed --resolve", "writ research build"]);
    expect((await one.ok("status")).next_command).toBe("writ research seed --resolve");
    await one.ok("curate.undo", { run: other.run_id });
    await one.ok("curate.undo", { run: data.run_id });
    expect(await one.ok("read.top")).toMatchObject({ central: [], fix_command: "writ research status" });
  });
});

describe("what a person is told of papers at hand", () => {
  const seeded = seededOnce(alpha, "alpha");

  test("RL-101: ids joined by a comma are refused with the command that takes them", async () => {
    const { failure, ok } = await seeded();
    expect(await failure("curate.accept", { ids: ["W101,W102", "W103"] })).toMatchObject({
      code: "E_NOT_FOUND",
      message: 'No paper has the id "W101,W102".',
      remediation: "writ research curate accept --ids W101 --ids W102 --ids W103",
    });
    expect(await failure("curate.reject", { ids: ["none,of these"] })).toMatchObject({
      remediation: expect.stringContaining("read list --query"),
    });
    expect(await ok("curate.accept", { ids: ["W101", "W102", "W103"] })).toMatchObject({ accepted_count: 3 });
  });

  test("RL-109: an undo that is told no run names the newest", async () => {
    const { failure, rows } = await seeded();
    const [run] = await rows<{ run_id: string }>("SELECT run_id FROM runs");
    expect(await failure("curate.undo")).toMatchObject({
      code: "E_MISSING_INPUT",
      remediation: `writ research curate undo --run ${run?.run_id}`,
    });
  });

  test("RL-11: whatever is rehearsed is said to be a rehearsal", async () => {
    const one = await seeded();
    const [run] = await one.rows<{ run_id: string }>("SELECT run_id FROM runs");
    writeFileSync(join(one.root, "lib.bib"), library);
    writeFileSync(join(one.root, "done.csv"), "id,decision\nW101,accepted\n");
    const lines = [
      ["seed", "--from-bib", "lib.bib"],
      ["chain", "--offline"],
      ["build"],
      ["export", "--format", "bibtex"],
      ["curate", "accept", "--ids", "W101"],
      ["curate", "reject", "--ids", "W101"],
      ["curate", "dump"],
      ["curate", "apply", "done.csv"],
      ["curate", "filter", "--year-gte", "2015"],
      ["curate", "merge", "--kind", "paper", "--keep", "W101", "--drop", "W102", "--force"],
      ["curate", "undo", "--run", run?.run_id ?? ""],
      ["snapshot", "create"],
    ];
    for (const line of lines)
      expect(await typed(one, ...line, "--dry-run"), line.join(" ")).toMatch(
        new RegExp(`\n${rehearsal}\n?$`),
      );
    expect(await typed(one, "curate", "accept", "--ids", "W101")).not.toContain(rehearsal);
  });
});
