import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Count, Flow } from "../../../packages/writ/src/research/prisma/flow.ts";
import { behindText } from "../../../packages/writ/src/research/prisma/papers.ts";
import { readPrisma, writePrisma } from "../../../packages/writ/src/research/prisma/write.ts";
import type { Via } from "../../../packages/writ/src/research/model.ts";
import { tempFolder } from "../../fixtures/temp-folder.ts";
import { MemoryLibrary } from "../library/memory.ts";
import { textsOf } from "./texts.ts";
import { entry, paper, tellingOf } from "./telling.ts";

let library: MemoryLibrary;
let tell: ReturnType<typeof tellingOf>;
beforeAll(async () => {
  library = await MemoryLibrary.open();
  tell = tellingOf(library);
});
beforeEach(() => library.clear());
afterAll(() => library.close());

const counts = (databases: number, other = 0): Count => ({ databases, other, total: databases + other });

const flow = () => readPrisma(library.db);

/** The papers behind each number. */
async function behind({ boxes }: Flow): Promise<Record<string, { way: "databases" | "other" }[]>> {
  let text = "";
  for await (const piece of behindText(library.db, { reports: boxes.reports !== undefined })) text += piece;
  return JSON.parse(text);
}

/** What is written, with the papers behind each number. */
async function files() {
  using temp = tempFolder();
  await writePrisma(library.db, { target: temp.path, ids: true });
  const read = (name: string) => readFileSync(join(temp.path, name), "utf8");
  return { json: JSON.parse(read("prisma.json")), csv: read("prisma.csv"), svg: read("prisma.svg") };
}

test("RL-119, RL-178: a search, a file, citers, a filter and a person come to the numbers that the statement asks for", async () => {
  await tell.find(
    "search",
    [1, 2, 3, 4, 5].map((n) => paper(n)),
  );
  await tell.find("import", [entry(5), entry(6)], ["r7"]);
  await tell.find(
    "citer",
    [7, 8, 9, 10].map((n) => paper(n)),
  );
  const [one = "", two = "", three = "", four = "", five = "", six = ""] = (await tell.ids()).toSorted();
  await tell.filter("filter:year:gte:2010", [one, two]);
  await tell.say("rejected", [three]);
  await tell.say("accepted", [four, five, six]);
  const { boxes, reasons, laws } = await flow();
  expect(boxes.identified).toMatchObject(counts(8, 4));
  expect(boxes.identified).toMatchObject({
    by_source: { openalex: counts(5, 4), ris: counts(3) },
    by_citation: { citer: 4, reference: 0 },
  });
  expect(boxes.removed).toEqual({ ...counts(2), duplicates: counts(1), without_title: counts(1) });
  expect([boxes.screened, boxes.excluded, boxes.awaiting, boxes.included].map(({ total }) => total)).toEqual([
    10, 3, 4, 3,
  ]);
  expect(reasons.map(({ reason, total }) => [reason, total])).toEqual([
    ["filter:year:gte:2010", 2],
    ["manual", 1],
  ]);
  expect(boxes).not.toHaveProperty("reports");
  expect(laws).toHaveLength(9);
  expect(laws.filter(({ holds }) => !holds)).toEqual([]);
  const { json } = await files();
  expect(json.boxes).toEqual(JSON.parse(JSON.stringify(boxes)));
  expect(json.runs.map(({ verb }: { verb: string }) => verb)).toEqual([
    "seed",
    "seed",
    "chain",
    "curate.filter",
    "curate.reject",
    "curate.accept",
  ]);
  expect(json.behind.duplicates).toEqual([
    { record: "ris:r5", paper: expect.stringMatching(/^doi:/), way: "databases" },
  ]);
  expect(json.behind.without_title).toEqual([{ entry: "ris:r7", way: "databases" }]);
  expect(json.behind.included.map((row: { paper: string }) => row.paper)).toEqual([four, five, six]);
});

test("RL-119: found both ways is screened with the databases, and the other record is a duplicate there", async () => {
  await tell.find("citer", [paper(1), paper(2)], ["W9"]);
  const run = await tell.find("import", [entry(1)]);
  const both = await flow();
  expect(both.boxes.identified).toMatchObject(counts(1, 3));
  expect(both.boxes.removed.duplicates).toEqual(counts(0, 1));
  expect(both.boxes.screened).toEqual(counts(1, 1));
  // The search meets the same record, and the entry without a title: it is the databases that found them.
  await tell.find("search", [paper(1)], ["W9"]);
  const again = await flow();
  expect(again.boxes.identified).toMatchObject(counts(3, 1));
  expect(again.boxes.removed).toMatchObject({ duplicates: counts(1), without_title: counts(1) });
  // Once it has a title, that entry is a record and nothing else.
  await tell.find("search", [paper(9)]);
  expect((await flow()).boxes.identified).toMatchObject(counts(3, 1));
  expect((await flow()).boxes.removed.without_title).toEqual(counts(0));
  await tell.undo(run);
  expect((await flow()).boxes.identified).toMatchObject(counts(2, 1));
});

test("RL-118: a look-up identifies nothing, and what is undone counts nowhere", async () => {
  const run = await tell.find("import", [entry(1)], ["r3"]);
  await tell.find("lookup", [paper(1)]);
  expect((await flow()).boxes).toMatchObject({
    identified: counts(2),
    removed: { ...counts(1), duplicates: counts(0) },
    screened: counts(1),
  });
  await tell.undo(run);
  const { boxes, unidentified, laws } = await flow();
  expect(boxes).toMatchObject({ identified: counts(0), removed: counts(0), screened: counts(0) });
  expect(unidentified).toBe(1);
  expect(laws.every(({ holds }) => holds)).toBe(true);
});

test("RL-120: full texts are a layer of their own once one was decided on", async () => {
  await tell.find(
    "search",
    [1, 2, 3, 4, 5, 6].map((n) => paper(n)),
  );
  const [one = "", two = "", three = "", four = "", five = ""] = await tell.ids();
  await tell.say("rejected", [one], "off topic");
  await tell.say("rejected", [two], "fulltext:no control group, n < 5");
  await tell.say("rejected", [three], "fulltext: not retrieved");
  await tell.say("accepted", [four, five]);
  const { boxes, reasons, laws } = await flow();
  expect(boxes.reports).toEqual({
    sought: counts(4),
    not_retrieved: counts(1),
    assessed: counts(3),
    excluded: counts(1),
  });
  expect(reasons.map(({ stage, total }) => [stage, total])).toEqual([
    ["not_retrieved", 1],
    ["fulltext", 1],
    ["screening", 1],
  ]);
  expect(laws.every(({ holds }) => holds)).toBe(true);
  const { json, csv, svg } = await files();
  expect(json.behind.reports_sought).toHaveLength(4);
  expect(json.behind.reports_excluded).toMatchObject([
    { paper: two, reason: "fulltext:no control group, n < 5" },
  ]);
  expect(csv).toContain('"no control group n < 5, 1"');
  expect(textsOf(svg)).toContain("Reports assessed for eligibility (n = 3)");
});

/** One thing that may happen to a library; numbers choose among what is there. */
const happening = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      find: fc.constantFrom<Via>("search", "import", "citer", "reference", "lookup"),
      works: fc.uniqueArray(
        fc.record({ n: fc.integer({ min: 1, max: 7 }), hasDoi: fc.boolean(), hasTitle: fc.boolean() }),
        { maxLength: 4, selector: ({ n }) => n },
      ),
    }),
  },
  fc.record({
    say: fc.constantFrom<"filter" | "accepted" | "rejected">("filter", "accepted", "rejected"),
    reason: fc.nat(2),
    which: fc.nat(),
  }),
  fc.record({ merge: fc.nat(), into: fc.nat() }),
  fc.record({ undo: fc.nat() }),
);

test("RL-118, RL-119: whatever happens to a library, the boxes add up on either side, and name what they count", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 4, maxLength: 8 }), async (history) => {
      await library.clear();
      const runs: string[] = [];
      for (const one of history) {
        runs.push(...(await happen(one, runs)));
        const found = await flow();
        expect(found.laws.filter(({ holds }) => !holds)).toEqual([]);
        expect(found.boxes.screened.total + found.unidentified).toBe((await tell.ids()).length);
      }
      const last = await flow();
      namesWhatItCounts(last, await behind(last));
    }),
    { numRuns: 4 },
  );
});

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** Lets it happen; answers the run that can be undone, if there is one. */
async function happen(one: Happening, runs: readonly string[]): Promise<string[]> {
  if ("find" in one) {
    const isFile = one.find === "import";
    const works = one.works
      .filter(({ hasTitle }) => hasTitle)
      .map(({ n, hasDoi }) => (isFile ? entry : paper)(n, hasDoi ? {} : { doi: null }));
    const untitled = one.works
      .filter(({ hasTitle }) => !hasTitle)
      .map(({ n }) => (isFile ? `r${n}` : `W${n}`));
    return [await tell.find(one.find, works, untitled)];
  }
  if ("undo" in one) {
    const run = runs[one.undo % (runs.length || 1)];
    return run === undefined ? [] : [await tell.undo(run)];
  }
  const papers = await tell.ids();
  const pick = (n: number) => papers[n % papers.length] ?? "";
  if (papers.length === 0) return [];
  if ("merge" in one) {
    const [keep, drop] = [pick(one.into), pick(one.merge)];
    return keep === drop ? [] : [await tell.merge(keep, drop)];
  }
  const reason = [undefined, "off topic", "fulltext:no data"][one.reason];
  return one.say === "filter"
    ? [await tell.filter(`filter:year:gte:${one.reason}`, [pick(one.which)])]
    : [await tell.say(one.say, [pick(one.which)], reason)];
}

function namesWhatItCounts({ boxes }: Flow, named: Awaited<ReturnType<typeof behind>>): void {
  const numbers: Record<string, Count> = {
    identified: {
      databases: boxes.identified.databases - boxes.removed.without_title.databases,
      other: boxes.identified.other - boxes.removed.without_title.other,
      total: boxes.identified.total - boxes.removed.without_title.total,
    },
    duplicates: boxes.removed.duplicates,
    without_title: boxes.removed.without_title,
    screened: boxes.screened,
    excluded: boxes.excluded,
    awaiting: boxes.awaiting,
    included: boxes.included,
    ...(boxes.reports && {
      reports_sought: boxes.reports.sought,
      reports_not_retrieved: boxes.reports.not_retrieved,
      reports_assessed: boxes.reports.assessed,
      reports_excluded: boxes.reports.excluded,
    }),
  };
  const counted = Object.fromEntries(
    Object.entries(named).map(([box, rows]) => {
      const of = (way: string) => rows.filter((row) => row.way === way).length;
      return [box, counts(of("databases"), of("other"))];
    }),
  );
  expect(counted).toEqual(numbers);
}
