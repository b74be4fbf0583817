import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Database } from "../../packages/writ/src/research/library/database.ts";
import { corpusHash } from "../../packages/writ/src/research/library/hash.ts";
import { placeOf } from "../../packages/writ/src/research/library/place.ts";
import { alpha, bulk } from "../fakes/openalex/works.ts";
import { openResearch, type Research, seededOnce } from "./workspace.ts";

const seeded = seededOnce(alpha, "alpha");
const script = join(import.meta.dirname, "../support/research-call.ts");

interface Calling {
  verb: string;
  input: Record<string, unknown>;
  /** The phase at which the process ends itself. */
  phase?: string;
}

/** Calls in a process of its own, and waits until that has ended, however. */
function start({ root, app, fake }: Research, { verb, input, phase = "" }: Calling) {
  const child = spawn(
    process.execPath,
    [script, root, app.home, `research.${verb}`, JSON.stringify(input), phase],
    {
      env: { PATH: process.env.PATH, WRIT_OPENALEX_URL: fake.url, WRIT_RESEARCH_BACKOFF_MS: "0" },
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  return { child, ended: once(child, "close") };
}

async function hashOf({ root }: Research): Promise<string> {
  const db = await Database.open({ file: placeOf(root).file, readOnly: true });
  try {
    return await corpusHash(db);
  } finally {
    db.close();
  }
}

/** Kills the process at its n-th request, which is never answered. */
async function killedAt(research: Research, nth: number, calling: Calling) {
  let left = nth;
  const { promise, resolve } = Promise.withResolvers<void>();
  research.fake.script(
    ...Array.from({ length: nth }, () => ({
      ...(--left === 0 && { hang: true as const, reached: resolve }),
    })),
  );
  const { child, ended } = start(research, calling);
  await promise;
  child.kill("SIGKILL");
  await ended;
}

/** How often each question was asked, without those that were never answered. */
function repeated({ fake }: Research, unanswered: number): string[] {
  const urls = fake.requests.map(({ url }) => url);
  const answered = urls.filter((_, at) => at !== unanswered - 1);
  return answered.filter((url, at) => answered.indexOf(url) !== at);
}

const seeding = { equation: "bulk", max_results: 250 };
const chaining = { fetch_top: 2 };

describe("a process that is killed", () => {
  const whole: Record<string, string> = {};

  // What the same commands make when nothing disturbs them.
  beforeAll(async () => {
    whole.seed = await undisturbed(await openResearch({ works: bulk, closes: false }), "seed", seeding);
    whole.chain = await undisturbed(await seeded({ closes: false }), "chain", chaining);
  });

  test.each([2, 3])("RL-181: a seed that is killed at request %i goes on where it was", async (nth) => {
    const research = await openResearch({ works: bulk });
    await killedAt(research, nth, { verb: "seed", input: seeding });
    expect(await research.rows("SELECT state FROM runs")).toEqual([{ state: "running" }]);
    expect(await research.rows("SELECT count(*) AS n FROM papers")).toEqual([{ n: 0 }]);
    expect(await research.ok("seed", seeding)).toMatchObject({ papers_new: 250, round: 1 });
    expect(await hashOf(research)).toBe(whole.seed);
    expect(repeated(research, nth)).toEqual([]);
    expect(await research.rows("SELECT state FROM runs")).toEqual([{ state: "done" }]);
  });

  test.each([3])("RL-181: a chain that is killed at request %i asks for no page twice", async (nth) => {
    const research = await seeded();
    await killedAt(research, nth, { verb: "chain", input: chaining });
    await research.ok("chain", chaining);
    expect(await hashOf(research)).toBe(whole.chain);
    expect(repeated(research, nth)).toEqual([]);
  });

  test.each(["fold", "commit"])(
    "RL-181: a chain that is killed in its phase %s leaves the library as it was",
    async (phase) => {
      const research = await seeded();
      const { ended } = start(research, { verb: "chain", input: chaining, phase });
      expect((await ended)[1]).toBe("SIGKILL");
      expect(await research.rows("SELECT count(*) AS n FROM papers WHERE active")).toEqual([{ n: 4 }]);
      await research.ok("chain", chaining);
      expect(await hashOf(research)).toBe(whole.chain);
      expect(repeated(research, 0)).toEqual([]);
    },
  );
});

async function undisturbed(
  research: Research,
  verb: string,
  input: Record<string, unknown>,
): Promise<string> {
  try {
    await research.ok(verb, input);
    return await hashOf(research);
  } finally {
    await research.close();
  }
}

test("RL-73: a page that cannot be written stops the run before it is used", async () => {
  const research = await seeded();
  const { pages } = placeOf(research.root);
  await rm(pages, { recursive: true });
  writeFileSync(pages, "in the way");
  expect(await research.failure("chain")).toMatchObject({ code: "STORE_ERROR", exit_code: 5 });
  await rm(pages);
  expect(await research.ok("chain")).toMatchObject({ new_candidates: 4 });
});
