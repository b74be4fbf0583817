import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { bibFile } from "./files.ts";
import { openResearch } from "./workspace.ts";

describe("files of others", () => {
  const bomb = `@article{k, title={A}, abstract={${" ".repeat(1 << 26)}}}\n`;
  const honest = Array.from({ length: 2000 }, (_, k) => {
    const title = createHash("sha256").update(String(k)).digest("base64");
    return `@article{h${k}, title={${title}}, year={2020}}\n`;
  }).join("");

  test.each([
    ["at once", bomb],
    ["after honest entries", honest + bomb],
  ])(
    "RL-14: a small file that unpacks into a huge one, %s, is refused, and nothing of it is kept",
    async (_, all) => {
      const research = await openResearch({ works: [] });
      writeFileSync(join(research.root, "bomb.bib.gz"), gzipSync(all));
      const refused = { code: "E_LIMIT", details: { limit: 200 } };
      expect(await research.failure("seed", { from_file: "bomb.bib.gz" })).toMatchObject(refused);
      writeFileSync(join(research.root, "works.bib"), bibFile);
      expect(await research.ok("seed", { from_file: "works.bib" })).toMatchObject({
        total_papers: 2,
        round: 1,
      });
      expect(await research.failure("seed", { from_file: "bomb.bib.gz" })).toMatchObject(refused);
      expect(await research.ok("validate", { full: true })).toMatchObject({ valid: true, total_papers: 2 });
    },
  );

  test("RL-81, RL-85: one DOI is one paper in a file and between files, one key of two works is two", async () => {
    const research = await openResearch({ works: [] });
    const entry = (key: string, title: string, doi?: string) =>
      `@article{${key}, title={${title}}, author={Diaz, Carla}, year={2020}${doi ? `, doi={${doi}}` : ""}}\n`;
    const one = [
      entry("same", "First", "10.7777/one"),
      entry("same", "Second", "10.7777/two"),
      entry("other", "First again", "https://doi.org/10.7777/ONE"),
      entry("bare", "Third"),
    ];
    const two = [
      entry("same", "Fourth", "10.7777/four"),
      entry("k", "First, otherwise told", "10.7777/one"),
      entry("bare", "Fifth"),
    ];
    writeFileSync(join(research.root, "one.bib"), one.join(""));
    writeFileSync(join(research.root, "two.bib"), two.join(""));
    const first = await research.call("seed", { from_file: "one.bib" });
    expect(first.data).toMatchObject({ entries: 4, papers_new: 3 });
    expect(first.warnings).toMatchObject([
      { code: "W_DUPLICATE_KEY", message: expect.stringContaining("same (line 2)") },
    ]);
    expect(await research.ok("seed", { from_file: "two.bib" })).toMatchObject({
      papers_new: 2,
      papers_updated: 1,
      total_papers: 5,
    });
    expect(await research.ok("seed", { from_file: "one.bib" })).toMatchObject({ papers_new: 0 });
    expect(await research.ok("validate", { full: true })).toMatchObject({ valid: true, total_papers: 5 });
  });
});
