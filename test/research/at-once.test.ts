import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import type { Envelope } from "../../packages/writ/src/contract/index.ts";
import { withLock } from "../../packages/writ/src/platform/index.ts";
import { placeOf } from "../../packages/writ/src/research/library/place.ts";
import { alpha } from "../fakes/openalex/works.ts";
import { type Research, seededOnce } from "./workspace.ts";

const seeded = seededOnce(alpha, "alpha");
const script = join(import.meta.dirname, "../support/research-call.ts");

/** Calls in a process of its own. */
async function apart({ root, app }: Research, verb: string, input: Record<string, unknown> = {}) {
  const args = [script, root, app.home, `research.${verb}`, JSON.stringify(input)];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(await text(child.stdout)) as Envelope;
}

describe("processes at once", { timeout: 120_000 }, () => {
  test("RL-20: two who build, one who decides and three who read all come to their end, and nothing that was written is lost", async () => {
    const research = await seeded();
    await research.ok("build", { networks: ["bibliographic_coupling"] });
    const answers = await Promise.all([
      apart(research, "curate.accept", { ids: ["W101"] }),
      apart(research, "build"),
      apart(research, "build", { networks: ["author_collab"] }),
      apart(research, "read.list"),
      apart(research, "read.top", { by: "reading" }),
      apart(research, "status"),
    ]);
    expect(answers.map(({ error }) => error)).toEqual(answers.map(() => null));
    expect(
      await research.rows("SELECT source_id AS id FROM papers WHERE active AND curation_status = 'accepted'"),
    ).toEqual([{ id: "W101" }]);
    expect(await research.rows("SELECT count(*) AS n FROM builds")).toEqual([{ n: 6 }]);
    expect(await research.ok("validate", { full: true })).toMatchObject({ valid: true, total_papers: 4 });
    expect((await research.call("export", { format: "graphml" })).data.networks_exported).toBe(4);
  });

  test("RL-20: who does not wait for a writer is told which process it is", async () => {
    const research = await seeded();
    const lock = { waitMs: 0, what: "the research library", command: "writ research chain" };
    const refused = await withLock(placeOf(research.root).lock, lock, () =>
      apart(research, "build", { networks: ["author_collab"], wait: 0 }),
    );
    expect(refused.error).toMatchObject({
      code: "E_STORE_LOCKED",
      cause: expect.stringContaining("writ research chain"),
      remediation: expect.stringContaining(`ps -p ${process.pid}`),
      details: { owner: { pid: process.pid } },
    });
    expect((await apart(research, "build", { networks: ["author_collab"] })).error).toBeNull();
  });
});
