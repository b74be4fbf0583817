import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { alpha } from "../fakes/openalex/works.ts";
import { bibFile, cslFile, medlineFile, risFile, scopusFile, wosFile } from "./files.ts";
import { openResearch, type Research, seededOnce } from "./workspace.ts";

interface Shown {
  id: string;
  title: string;
  year: number;
  authors_raw: string[];
  keywords_raw: string[];
  source: string;
  source_id: string;
}

/** Writes a file into the workspace and imports it. */
async function imported({ root, ok }: Research, name: string, content: string | Uint8Array) {
  writeFileSync(join(root, name), content);
  return ok("seed", { from_file: join(root, name) });
}

const paper = (one: Research) =>
  one.rows<Shown>("SELECT * FROM papers WHERE active AND doi = '10.7777/x.1'").then((rows) => rows[0]);
const records = (one: Research) =>
  one.rows(
    "SELECT r.source FROM record_papers r JOIN papers p ON p.id = r.paper_id WHERE p.doi = '10.7777/x.1' ORDER BY r.source",
  );

describe("imports into a library", () => {
  test("RL-83: a DOI that a source knows two works by was looked up once", async () => {
    const twins = ["W1", "W2"].map((id) => ({ id, doi: "https://doi.org/10.7777/x.1", title: "A Study" }));
    const { ok, root } = await openResearch({ works: twins });
    writeFileSync(join(root, "works.bib"), bibFile);
    await ok("seed", { from_file: "works.bib" });
    expect(await ok("seed", { resolve: true })).toMatchObject({
      resolve: { resolved: 1, total_with_doi: 1 },
    });
  });

  test("RL-81, RL-85: the same paper in six formats is one paper with six records", async () => {
    const one = await openResearch({ works: [] });
    expect(await imported(one, "works.bib", bibFile)).toMatchObject({
      format: "bibtex",
      entries: 3,
      papers_new: 2,
      skipped: [{ entry: 3, line: 3, reason: "It has no title." }],
      references: { with_id: 0, with_doi: 0, text_only: 0 },
    });
    const first = await paper(one);
    expect(first).toMatchObject({
      id: "doi:c74d3bb2add00fb7",
      title: "A Study of Things",
      year: 2020,
      source: "J One",
      authors_raw: ["Diaz, Carla", "Ruiz, Ana"],
      keywords_raw: ["alpha", "beta", "gamma"],
    });
    expect(await imported(one, "works.ris", risFile)).toMatchObject({ format: "ris", papers_new: 0 });
    const marked = `\ufeff${risFile.replaceAll("\n", "\r\n")}`;
    expect(await imported(one, "again.ris", marked)).toMatchObject({ papers_new: 0, papers_updated: 0 });
    expect(await imported(one, "works.json", cslFile)).toMatchObject({ format: "csl-json", papers_new: 0 });
    expect(await records(one)).toEqual(["bibtex", "csl", "ris"].map((source) => ({ source })));
    const same = await paper(one);
    for (const field of ["id", "year", "authors_raw", "keywords_raw", "source", "title"] as const) {
      expect(same?.[field]).toEqual(first?.[field]);
    }
    expect(await imported(one, "scopus.csv", scopusFile)).toMatchObject({ format: "scopus", papers_new: 0 });
    expect(await imported(one, "pubmed.txt", medlineFile)).toMatchObject({ format: "pubmed", papers_new: 0 });
    expect(
      await one.rows(
        "SELECT engine, value FROM external_ids WHERE paper_id = 'doi:c74d3bb2add00fb7' ORDER BY engine",
      ),
    ).toEqual(
      expect.arrayContaining([
        { engine: "eid", value: "2-s2.0-1" },
        { engine: "pmid", value: "31452104" },
      ]),
    );
    expect(await imported(one, "wos.txt", wosFile)).toMatchObject({
      format: "wos",
      papers_new: 0,
      references: { with_id: 0, with_doi: 1, text_only: 1 },
    });
    expect(await records(one)).toHaveLength(6);
    expect(
      await one.rows("SELECT cited_by_count AS n FROM papers WHERE doi = '10.7777/x.1' AND active"),
    ).toEqual([{ n: 7 }]);
    expect(one.asked()).toBe(0);
    expect((await one.ok("status")).loop_state).toBe("SEEDED");
  });

  test("RL-80: one entry without an end costs itself, and a file of broken ones is refused", async () => {
    const one = await openResearch({ works: [] });
    const lines = Array.from(
      { length: 1000 },
      (_, at) => `@article{k${at + 1}, title={Work ${at + 1}}, year={2000}}`,
    );
    lines[499] = "@article{k500, title={Work 500}, year={2000}";
    const data = await imported(one, "works.bib", `${lines.join("\n")}\n`);
    expect(data).toMatchObject({ entries: 1000, papers_new: 999, skipped: [{ entry: 500, line: 500 }] });
    writeFileSync(join(one.root, "bad.bib"), "@article{a, title={x}, year=\n@article{b, title={x}, year=\n");
    expect(await one.failure("seed", { from_bib: join(one.root, "bad.bib") })).toMatchObject({
      code: "E_PARSE",
      exit_code: 2,
    });
    expect(await one.rows("SELECT count(*) AS n FROM papers")).toEqual([{ n: 999 }]);
    expect(await one.failure("seed", { from_bib: join(one.root, "missing.bib") })).toMatchObject({
      exit_code: 2,
    });
    writeFileSync(join(one.root, "text.txt"), "nothing of ours");
    expect(await one.failure("seed", { from_file: join(one.root, "text.txt") })).toMatchObject({
      code: "E_FORMAT_UNKNOWN",
      exit_code: 2,
    });
  });

  test("RL-150: what is exported is imported as the same papers, decisions included", async () => {
    const one = await openResearch({ works: [] });
    const more =
      "TY  - JOUR\nTI  - Ünïcödé {&} 漢字 50%\nAU  - WHO\nAU  - van der Berg, Jan\nPY  - 1999\nKW  - a b\nAB  - x_y # $\nER  - \n";
    await imported(one, "works.bib", bibFile);
    await imported(one, "more.ris", more);
    await one.ok("curate.accept", { ids: ["10.7777/x.1"], note: "first" });
    const columns = "id, doi, title, year, abstract, source, authors_raw, keywords_raw";
    const papers = await one.rows(`SELECT ${columns} FROM papers WHERE active ORDER BY id`);
    for (const [format, file] of [
      ["ris", "papers.ris"],
      ["bibtex", "papers.bib"],
      ["csl-json", "papers.json"],
    ] as const) {
      expect(await one.ok("export", { format })).toMatchObject({ papers_exported: 3 });
      const other = await openResearch({ works: [] });
      await other.ok("seed", { from_file: join(one.root, ".writ/research/exports", file) });
      expect(await other.rows(`SELECT ${columns} FROM papers WHERE active ORDER BY id`), format).toEqual(
        papers,
      );
      if (format !== "ris") continue;
      expect(await other.rows("SELECT curation_status AS s FROM papers WHERE doi IS NOT NULL")).toEqual([
        { s: "accepted" },
      ]);
      expect(await other.rows("SELECT note FROM decisions")).toEqual([{ note: "first" }]);
    }
  });
});

describe("imports beside a search", () => {
  const seeded = seededOnce(alpha, "alpha");

  test("RL-82: references of Web of Science with a DOI couple with those of OpenAlex", async () => {
    const one = await seeded();
    await one.ok("chain", { direction: "backward" });
    await imported(one, "wos.txt", wosFile);
    expect(
      await one.rows(
        "SELECT institutions_raw, authors_affiliations FROM papers WHERE doi = '10.7777/x.1' AND active",
      ),
    ).toEqual([
      { institutions_raw: ["Uni North"], authors_affiliations: ["Uni North (AR)", "Uni North (AR)"] },
    ]);
    await one.ok("build", { networks: ["bibliographic_coupling"] });
    const edges = await one.rows<{ source: string; target: string; weight: number }>(
      `SELECT source, target, weight FROM read_parquet('${join(one.root, ".writ/research/networks/bibliographic_coupling/edges.parquet")}')`,
    );
    const own = "doi:c74d3bb2add00fb7";
    expect(edges.filter((edge) => [edge.source, edge.target].includes(own))).toHaveLength(2);
    expect(
      edges.filter((edge) => [edge.source, edge.target].includes(own)).every(({ weight }) => weight === 1),
    ).toBe(true);
  });
});
