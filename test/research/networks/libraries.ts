import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { z } from "zod";
import { openInput } from "../../../packages/writ/src/governance/open-input.ts";
import { build } from "../../../packages/writ/src/research/builds/build.ts";
import { buildInput } from "../../../packages/writ/src/research/builds/input.ts";
import { buildOutput } from "../../../packages/writ/src/research/builds/output.ts";
import { ingest } from "../../../packages/writ/src/research/library/ingest.ts";
import { addCiters, addReferenceDois } from "../../../packages/writ/src/research/library/tell.ts";
import type { Work } from "../../../packages/writ/src/research/model.ts";
import { tempFolder } from "../../fixtures/temp-folder.ts";
import type { TestContext } from "../../support/context.ts";
import { alphaCitations, alphaCiters, alphaSeeds, at, libraryIn, workOf } from "../library/works.ts";

type Library = ReturnType<typeof libraryIn>;

const made = new Map<string, ReturnType<typeof tempFolder>>();
afterAll(() => {
  for (const folder of made.values()) folder[Symbol.dispose]();
  made.clear();
});

/** A library at `root` as `make` makes it; the second time it is copied. */
async function once(root: string, name: string, make: (library: Library) => Promise<unknown>) {
  let folder = made.get(name);
  if (!folder) {
    folder = tempFolder();
    await make(libraryIn(folder.path));
    made.set(name, folder);
  }
  cpSync(join(folder.path, ".writ"), join(root, ".writ"), { recursive: true });
  const library = libraryIn(root);
  const addCandidates = () => library.add(alphaCiters, { via: "citer", seed: false, hop: 1 });
  return { ...library, ctx: library.ctx as () => TestContext, addCandidates };
}

/** A library of these works, the four of the first fixture without any. */
export function seededLibrary(root: string, works: readonly Work[] = alphaSeeds) {
  return once(root, `seeded ${works.length} ${works[0]?.title}`, (library) => library.add([...works]));
}

/** The same four, who cites them, and the DOIs of what they cite. */
export function chainedLibrary(root: string) {
  return once(root, "chained", async (library) => {
    await library.add([...alphaSeeds]);
    await library.change("chain", async (one) => {
      await ingest(one, alphaCiters, { via: "citer", seed: false, hop: 1, fetchedAt: at(1) });
      await addCiters(one, alphaCitations);
      await addReferenceDois(one, [
        ...["W901", "W904", "W905", "W999"].map((ref) => ({ ref, doi: null })),
        { ref: "W902", doi: "10.5555/r2" },
        { ref: "W903", doi: "10.5555/r3" },
        { ref: "W101", doi: "10.5555/a1" },
        { ref: "W102", doi: "10.5555/a2" },
        { ref: "W103", doi: null },
        { ref: "W104", doi: "10.5555/a4" },
      ]);
      return {};
    });
  });
}

/** Two thousand papers that share one reference, and each one more with one other. */
export function crowd(root: string) {
  return seededLibrary(
    root,
    Array.from({ length: 2000 }, (_, k) =>
      workOf({
        sourceId: `W${10_000 + k}`,
        title: `Paper ${k}`,
        references: ["W1", `W${50_000 + (k >> 1)}`],
      }),
    ),
  );
}

/** Two trios that one paper on each side holds together. */
export const bridgeWorks = [["801"], ["801"], ["801", "803"], ["802", "803"], ["802"], ["802"]].map(
  (refs, k) =>
    workOf({
      sourceId: `W${301 + k}`,
      doi: `10.7777/p${1 + k}`,
      title: `Bridge ${1 + k}`,
      year: 2011 + k,
      keywords: [{ id: `k${1 + k}`, name: `k${1 + k}`, score: null }],
      references: refs.map((ref) => `W${ref}`),
    }),
);

/** Builds, and checks that the answer is what it is declared to be. */
export async function builtOn(context: TestContext, given: Record<string, unknown>) {
  const { base, signal } = context;
  context.open = (path) => openInput({ base, signal, surface: "cli" }, undefined, path);
  const data = await build(context, z.object(buildInput).parse(given));
  buildOutput.parse(data);
  return { data, context };
}

/** The measures of a network, as a strict parser reads them. */
export function metricsOf(root: string, name: string): Record<string, unknown> {
  return JSON.parse(
    readFileSync(join(root, ".writ/research/networks", name, "metrics.json"), "utf8"),
  ) as Record<string, unknown>;
}
