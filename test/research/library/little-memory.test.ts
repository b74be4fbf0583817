import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openResearch } from "../workspace.ts";

/** Enough for several batches: alone, two under one DOI, with a title only, and two with the same one. */
function bibliography(): string {
  return Array.from({ length: 2400 }, (_, at) => {
    const doi = at % 7 === 0 ? "" : `  doi = {10.5555/b.${at % 10 === 1 ? at - 1 : at}},\n`;
    const title = at % 21 === 0 ? `Twins ${Math.floor(at / 42)}` : `Title ${at}`;
    return `@article{k${at},\n  title = {${title}},\n  author = {Doe, Jane and Roe, Rick},\n  year = {2001},\n${doi}  abstract = {"Told" ${at} \u{1d4d0}}\n}\n`;
  }).join("\n");
}

async function imported(env: Record<string, string>) {
  const one = await openResearch({ works: [], env });
  writeFileSync(join(one.root, "works.bib"), bibliography());
  const seeded = await one.ok("seed", { from_file: "works.bib" });
  const validated = await one.ok("validate", { full: true });
  const papers = await one.rows("SELECT * EXCLUDE (first_run, last_run) FROM papers ORDER BY id, active");
  return { seeded, validated, papers };
}

test("RL-24: a bound that is no size is said to be none; the library stays, and is not called damaged", async () => {
  const one = await openResearch({ works: [], env: { WRIT_RESEARCH_MEMORY: "lots" } });
  writeFileSync(join(one.root, "works.bib"), bibliography());
  const error = await one.failure("seed", { from_file: "works.bib" });
  expect(error).toMatchObject({
    code: "STORE_ERROR",
    message: expect.stringContaining("WRIT_RESEARCH_MEMORY"),
  });
  expect(error.remediation).toContain("export WRIT_RESEARCH_MEMORY=1GiB");
});

test("RL-24, RL-38: what is imported with little memory is what is imported with as much as a person has named", async () => {
  const little = await imported({});
  const named = await imported({ WRIT_RESEARCH_MEMORY: "512MiB" });
  expect(little.papers).toEqual(named.papers);
  expect(little.papers.length).toBeGreaterThan(2000);
  expect(little.papers.length).toBeLessThan(2400);
  expect(little.validated).toMatchObject({ valid: true });
  const { entries, papers_new, same_work } = little.seeded;
  expect(named.seeded).toMatchObject({ entries, papers_new, same_work });
});
