import { cpSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writePieces } from "../../packages/writ/src/research/export/text-file.ts";
import { alpha } from "../fakes/openalex/works.ts";
import { canMount, type SmallDisk, smallDisk } from "../fixtures/small-disk.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { bibFile } from "./files.ts";
import { openResearch, type Research, seededOnce } from "./workspace.ts";

const seeded = seededOnce(alpha, "alpha");
const kib = 1024;
const refusal = {
  code: "STORE_ERROR",
  exit_code: 5,
  cause: expect.stringMatching(/No space is left|is full/) as string,
  remediation: "Free some space and run the command again: df -h .",
};

/** The workspace's own folder on a small disk, with what it holds. */
function onSmallDisk({ root }: Research): SmallDisk {
  const [own, aside] = [join(root, ".writ"), join(root, "aside")];
  cpSync(own, aside, { recursive: true });
  const disk = smallDisk(own, 24);
  cpSync(aside, own, { recursive: true });
  return disk;
}

interface Calling {
  verb: string;
  input: Record<string, unknown>;
  /** How much more room there is each time. */
  step: number;
}

/** Calls with ever more room until there is enough, so that it ends in many places. Answers how often it was refused. */
async function untilItFits({ call }: Research, disk: SmallDisk, { verb, input, step }: Calling) {
  for (let refused = 0; ; refused += 1) {
    const free = disk.fill(refused * step);
    const answer = await call(verb, input);
    free();
    if (answer.error === null) return refused;
    expect(answer.error).toMatchObject(refusal);
  }
}

describe.runIf(canMount())("a disk that is full", { timeout: 180_000 }, () => {
  test.each<Calling>([
    { verb: "build", input: {}, step: 96 * kib },
    { verb: "snapshot.create", input: {}, step: 64 * kib },
    { verb: "export", input: { format: "bibtex" }, step: 8 * kib },
    { verb: "curate.accept", input: { ids: ["10.5555/a1"] }, step: 16 * kib },
  ])(
    "RL-181: $verb is refused while there is no room, loses nothing, and is done once there is",
    async (one) => {
      const research = await seeded();
      using disk = onSmallDisk(research);
      expect(await untilItFits(research, disk, one)).toBeGreaterThan(0);
      expect(await research.ok("validate", { full: true })).toMatchObject({ valid: true, total_papers: 4 });
      expect((await research.call(one.verb, one.input)).error).toBeNull();
      const left = readdirSync(join(research.root, ".writ/research"), { recursive: true, encoding: "utf8" });
      expect(left.filter((name) => /\.stage-|writ-tmp|partial|\.room/.test(name))).toEqual([]);
    },
  );

  test("RL-181: what was built is exported in each format once there is room, and no file is half", async () => {
    const research = await seeded();
    using disk = onSmallDisk(research);
    await research.ok("build");
    for (const format of ["graphml", "csv", "vosviewer", "html", "prisma"])
      expect(
        await untilItFits(research, disk, { verb: "export", input: { format }, step: 24 * kib }),
      ).toBeGreaterThan(0);
  });

  test("RL-181: a file for which there is room in part only is refused, not cut", async () => {
    using temp = tempFolder();
    using disk = smallDisk(temp.file("disk"));
    disk.fill(8 * kib);
    const file = temp.file("disk/network.graphml");
    await expect(writePieces(file, ["x".repeat(20 * kib)])).rejects.toMatchObject({ code: "ENOSPC" });
    expect(existsSync(file)).toBe(false);
  });

  test.each(["equation", "from_file"])(
    "RL-181: a library is begun by %s once there is room",
    async (from) => {
      const research = await openResearch({ works: alpha });
      const file = join(research.root, "works.bib");
      writeFileSync(file, bibFile);
      using disk = smallDisk(join(research.root, ".writ"), 24);
      const input = from === "equation" ? { equation: "alpha" } : { from_file: file };
      expect(await untilItFits(research, disk, { verb: "seed", input, step: 640 * kib })).toBeGreaterThan(0);
      const papers = from === "equation" ? 4 : 2;
      expect(await research.ok("validate", { full: true })).toMatchObject({
        valid: true,
        total_papers: papers,
      });
      expect(await research.ok("seed", input)).toMatchObject({ papers_new: 0 });
    },
  );
});
