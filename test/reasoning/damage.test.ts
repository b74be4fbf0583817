import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Envelope } from "../../packages/writ/src/contract/index.ts";
import { openRoom } from "../../packages/writ/src/reasoning/settings/room.ts";
import { append } from "../../packages/writ/src/reasoning/store/append.ts";
import recordCapability from "../../packages/writ/src/reasoning/capabilities/record.ts";
import type { Capability, Context } from "../../packages/writ/src/contract/index.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { commandsOf, testApp } from "../support/test-app.ts";
import { type Bed, bedNone, bedThree, says } from "./bed.ts";

interface Finding {
  level: string;
  subject: string;
  message: string;
  rules: string[];
}
interface State {
  totals: { records: number };
  chain: { seq: number };
  unreadable: { file: string; cause: string }[];
}

const folderOf = ({ root }: Bed) => join(root, ".writ/reasoning");
const indexOf = (bed: Bed) => join(folderOf(bed), "index.ndjson");
const toldOf = (bed: Bed) => join(folderOf(bed), "told.json");
const unreadableIn = (answer: Envelope | undefined): State["unreadable"] =>
  (answer?.data as { state?: State } | undefined)?.state?.unreadable ?? [];
const attempt = (text: string) => ({ kind: "attempt", attempt: text, observed_failure: "f" });

async function bedOf(records: number): Promise<Bed> {
  const bed = bedNone();
  for (let i = 1; i <= records; i++) await bed.record(attempt(`t${i}`));
  return bed;
}

/** The names of the record files, in order. */
const names = (bed: Bed): string[] => readdirSync(join(folderOf(bed), "untasked")).sort();
const numbers = (bed: Bed): number[] => names(bed).map((name) => Number.parseInt(name, 10));
const stateOf = async (bed: Bed) =>
  (await bed.ok<{ state: State }>("reasoning.status", { task: "all" })).state;
const findingsOf = async (bed: Bed) => (await bed.call("reasoning.check")).data.findings as Finding[];
const errorsOf = async (bed: Bed) => (await findingsOf(bed)).filter(({ level }) => level === "error");
const written = async (bed: Bed, text: string) => {
  const answer = await bed.call("reasoning.record", { record: attempt(text) });
  expect(answer.error).toBeNull();
  return answer;
};
const toldEvents = async (bed: Bed) => {
  const { events } = await bed.ok<{ events: { kind: string; subjects: string[] }[] }>("ledger.list", {
    limit: 100,
  });
  return events.filter(({ kind }) => kind === "reasoning.recorded").length;
};

describe("an index that cannot be the whole is made anew", () => {
  const lines = (text: string) => text.split("\n").slice(0, -1);
  const whole = (some: string[]) => some.map((line) => `${line}\n`).join("");
  test.for<[string, (text: string) => string | Buffer]>([
    ["empty", () => ""],
    ["filled with zeros", (text) => Buffer.alloc(text.length)],
    ["without its last line", (text) => whole(lines(text).slice(0, -1))],
    ["without its last two lines", (text) => whole(lines(text).slice(0, -2))],
    ["without a line of its middle", (text) => whole(lines(text).filter((_, i) => i !== 1))],
    [
      "with another digest in its last line",
      (text) => text.replace(/"digest":"....(?=[^\n]*\n$)/, '"digest":"beef'),
    ],
  ])("RS-75: %s, and no number is given twice", async ([, harm]) => {
    await using bed = await bedOf(4);
    writeFileSync(indexOf(bed), harm(readFileSync(indexOf(bed), "utf8")));
    const seen = await stateOf(bed);
    expect([seen.totals.records, seen.chain.seq, seen.unreadable]).toEqual([4, 4, []]);
    const { data, warnings } = await written(bed, "t5");
    expect(warnings.map(({ code }) => code)).toEqual(["W_INDEX_REBUILT"]);
    expect((data.record as { seq: number }).seq).toBe(5);
    expect(numbers(bed)).toEqual([1, 2, 3, 4, 5]);
    expect((await written(bed, "t6")).warnings).toEqual([]);
    expect(await findingsOf(bed)).toEqual([]);
    expect(await toldEvents(bed)).toBe(6);
  });
  test("RS-75: without what the ledger was told of, the names of the files bear witness", async () => {
    await using bed = await bedOf(3);
    rmSync(toldOf(bed));
    const cut = whole(lines(readFileSync(indexOf(bed), "utf8")).slice(0, 1));
    writeFileSync(indexOf(bed), cut);
    expect((await stateOf(bed)).totals.records).toBe(3);
    await written(bed, "t4");
    expect(numbers(bed)).toEqual([1, 2, 3, 4]);
    expect(await findingsOf(bed)).toEqual([]);
  });
  test("RS-75, RS-73: a number above the last that the ledger is said to know says nothing", async () => {
    await using bed = await bedOf(2);
    writeFileSync(toldOf(bed), '{"seq":999999}\n');
    expect((await stateOf(bed)).totals.records).toBe(2);
    expect((await written(bed, "t3")).warnings).toEqual([]);
    expect(await findingsOf(bed)).toEqual([]);
    expect(await toldEvents(bed)).toBe(3);
    expect(JSON.parse(readFileSync(toldOf(bed), "utf8"))).toMatchObject({ seq: 3 });
  });
  test("RS-75: of two files with one number the one that the next names counts, and the other is named", async () => {
    await using bed = await bedOf(3);
    const [first = ""] = names(bed);
    const forked = first.replace(/[0-9a-f]{4}\.json$/, "beef.json");
    const text = readFileSync(join(folderOf(bed), "untasked", first), "utf8");
    const id = (name: string) => name.slice(9, -".json".length);
    writeFileSync(
      join(folderOf(bed), "untasked", forked),
      text.replace(id(first), id(forked)).replace(/"recorded_at": "2026/, '"recorded_at": "2025'),
    );
    rmSync(indexOf(bed));
    await written(bed, "t4");
    expect(numbers(bed)).toEqual([1, 1, 2, 3, 4]);
    expect((await stateOf(bed)).unreadable).toEqual([
      { file: `.writ/reasoning/untasked/${forked}`, cause: "not_in_index" },
    ]);
    expect((await errorsOf(bed)).map(({ subject }) => subject)).toEqual([id(forked)]);
  });
  test("RS-75: the number of a file that cannot be read is taken, and is made anew once", async () => {
    await using bed = await bedOf(3);
    const last = names(bed)[2] ?? "";
    writeFileSync(join(folderOf(bed), "untasked", last), "{");
    rmSync(indexOf(bed));
    const refused = { kind: "plan", assessment: "assessment_0" };
    expect(await bed.refusedRecord(refused)).toBe("E_NOT_FOUND");
    expect((await written(bed, "t4")).data).toMatchObject({ record: { seq: 4 } });
    expect((await written(bed, "t5")).warnings).toEqual([]);
    expect(numbers(bed)).toEqual([1, 2, 3, 4, 5]);
    const { unreadable } = await stateOf(bed);
    expect(unreadable).toEqual([{ file: `.writ/reasoning/untasked/${last}`, cause: "unparsable" }]);
  });
  test("RS-76, RS-114: the last record that was edited is left out, and not taken for what was written", async () => {
    await using bed = await bedOf(2);
    const last = join(folderOf(bed), "untasked", names(bed)[1] ?? "");
    const text = readFileSync(last, "utf8");
    writeFileSync(last, text.replace('"attempt": "t2"', '"attempt": "t9"'));
    expect((await stateOf(bed)).unreadable.map(({ cause }) => cause)).toEqual(["digest"]);
    await written(bed, "t3");
    expect((await errorsOf(bed)).map(({ rules }) => rules)).toEqual([["digest", "ledger"]]);
    writeFileSync(last, text);
    expect(await errorsOf(bed)).toEqual([]);
  });
  test("RS-76: the last record that is gone is missing, and its number stays its own", async () => {
    await using bed = await bedOf(3);
    rmSync(join(folderOf(bed), "untasked", names(bed)[2] ?? ""));
    expect((await stateOf(bed)).unreadable.map(({ cause }) => cause)).toEqual(["missing"]);
    await written(bed, "t4");
    expect(numbers(bed)).toEqual([1, 2, 4]);
    expect((await errorsOf(bed)).map(({ rules }) => rules)).toEqual([["missing"]]);
  });
});

test("RS-74: a refused first record leaves no index (RC-11)", async () => {
  await using bed = bedNone();
  const record = { kind: "assessment", subject: "x", materiality: "low", capabilities: ["code_reveiw"] };
  expect(await bed.refusedRecord(record)).toBe("E_UNKNOWN_CAPABILITY");
  expect(existsSync(folderOf(bed)) ? readdirSync(folderOf(bed)) : []).toEqual([]);
});

describe("what is stored can be read again", () => {
  test.for([1e300, 2 ** 60])("RS-87: a count of %s tokens is not reported", async (tokens) => {
    await using bed = await bedThree({ advisors: [(await import("./bed.ts")).betaEntry] });
    const answer = { index: 0, message: { role: "assistant", content: says("supports") } };
    const usage = { prompt_tokens: tokens, completion_tokens: 1 };
    bed.beta.says({ reply: { body: { id: "c", model: "b-1", choices: [answer], usage } } });
    const a = await bed.assess("x", "material");
    const { results } = await bed.ok<{ results: { status: string }[] }>("reasoning.consult", {
      assessment: a,
    });
    expect(results.map(({ status }) => status)).toEqual(["completed"]);
    expect(await errorsOf(bed)).toEqual([]);
    rmSync(indexOf(bed));
    expect((await stateOf(bed)).totals.records).toBe(4);
  });
  test("RS-73: a record that its own form refuses is a defect, and nothing is written", async () => {
    const body = { ...attempt("t"), evidence: [], observed_failure: 7 };
    const broken = {
      ...recordCapability,
      run: async (ctx: Context) => {
        const room = await openRoom(ctx);
        await ctx.settle();
        const commit = () => append(room, body as never, { capability: "reasoning.record" });
        return ctx.commit({}, async () => ({ ...(await commit()) }));
      },
    } as unknown as Capability;
    await using app = testApp({ commands: commandsOf([broken]) });
    const { error } = await app.call("reasoning.record", { record: {} });
    expect(error?.code).toBe("INTERNAL_ERROR");
    expect(readdirSync(join(app.root, ".writ/reasoning"))).toEqual([]);
  });
});

describe("what is no record is not opened", () => {
  test("RS-76, RS-114: a pipe, a huge file and a folder are named, and nothing waits for them", async () => {
    await using bed = await bedOf(1);
    const folder = join(folderOf(bed), "untasked");
    execFileSync("mkfifo", [join(folder, "a.json")]);
    writeFileSync(join(folder, "b.json"), " ".repeat(129 * 1024));
    mkdirSync(join(folder, "c.json"));
    const files = ["a", "b", "c"].map((name) => `.writ/reasoning/untasked/${name}.json`);
    const { totals, unreadable } = await stateOf(bed);
    expect(totals.records).toBe(1);
    expect(unreadable).toEqual(files.map((file) => ({ file, cause: "unparsable" })));
    expect((await errorsOf(bed)).map(({ subject }) => subject)).toEqual(files);
  });
  test("RS-75, RS-113: a pipe in place of the index or of a document keeps nobody waiting", async () => {
    await using bed = await bedOf(1);
    execFileSync("mkfifo", [join(bed.root, "README.md")]);
    expect(await errorsOf(bed)).toEqual([]);
    rmSync(indexOf(bed));
    execFileSync("mkfifo", [indexOf(bed)]);
    for (const capability of ["reasoning.status", "reasoning.check"])
      expect((await bed.call(capability)).error?.code).toBe("E_UNSAFE_LINK");
  });
  test("RS-75: a folder in place of the index is refused, with what helps", async () => {
    await using bed = await bedOf(2);
    rmSync(indexOf(bed));
    mkdirSync(indexOf(bed));
    for (const capability of ["reasoning.status", "reasoning.check", "reasoning.advisors"]) {
      const { error, exit_code } = await bed.call(capability);
      expect([error?.code, exit_code]).toEqual(["STORE_ERROR", 5]);
    }
    const { error } = await bed.call("reasoning.record", { record: attempt("t3") });
    expect(error?.code).toBe("STORE_ERROR");
    execFileSync("sh", ["-c", error?.remediation.split(": ")[1] ?? ""], { cwd: bed.root });
    await written(bed, "t3");
    expect(await errorsOf(bed)).toEqual([]);
  });
});

describe.runIf(process.getuid?.() === 0)("what another user of the machine left", () => {
  const entry = join(import.meta.dirname, "../entry/calls.ts");
  // The first child leaves the others what it compiled.
  const compiled = tempFolder("writ-compiled");
  chmodSync(compiled.path, 0o777);
  afterAll(() => compiled[Symbol.dispose]());
  const nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", process.execPath, entry];
  /** Calls as somebody to whom the workspace belongs, but for what is closed. */
  function asNobody(bed: Bed, calls: [string, Record<string, unknown>][], closed: string): Envelope[] {
    execFileSync("chown", ["-R", "65534:65534", bed.root, bed.app.home]);
    execFileSync("chown", ["-R", "0:0", closed]);
    const ran = spawnSync("setpriv", [...nobody, bed.root, JSON.stringify(calls)], {
      env: { ...bed.env, PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled.path },
      encoding: "utf8",
    });
    if (ran.status !== 0) throw new Error(`${ran.error?.message ?? ""}${ran.stderr}`);
    return JSON.parse(ran.stdout) as Envelope[];
  }
  const calls: [string, Record<string, unknown>][] = [
    ["reasoning.status", { task: "all" }],
    ["reasoning.check", {}],
    ["reasoning.record", { record: attempt("theirs") }],
    ["workspace.doctor", { offline: true }],
  ];
  test("RS-76: a record and a task's folder that are closed are named, and everything else loads", async () => {
    await using bed = await bedOf(3);
    await bed.ok("task.start", { id: "closed" });
    await bed.record(attempt("in a task"));
    rmSync(join(bed.root, ".writ/task.json"));
    const record = join(folderOf(bed), "untasked", names(bed)[1] ?? "");
    const run = (closed: string) => asNobody(bed, calls, closed);
    const [status, check, recorded, doctor] = run(record);
    expect(status?.data).toMatchObject({ state: { totals: { records: 3 } } });
    expect(unreadableIn(status).map(({ cause }) => cause)).toEqual(["denied"]);
    expect([check?.error?.code, check?.error?.remediation]).toEqual([
      "E_CHECK_FINDINGS",
      expect.stringContaining("chown"),
    ]);
    expect([recorded?.error, doctor?.error?.code]).toEqual([null, "E_DOCTOR_FAILED"]);
    expect(numbers(bed)).toEqual([1, 2, 3, 5]);
    const folder = join(folderOf(bed), "closed");
    chmodSync(folder, 0o700);
    const again = run(folder);
    expect(unreadableIn(again[0])).toContainEqual({
      file: ".writ/reasoning/closed",
      cause: "denied",
    });
    expect(again.map(({ error }) => error?.code ?? "ok")).toEqual([
      "ok",
      "E_CHECK_FINDINGS",
      "ok",
      "E_DOCTOR_FAILED",
    ]);
    // Its numbers cannot be known: nobody gives one before it is open again.
    rmSync(indexOf(bed));
    expect(run(folder)[2]?.error).toMatchObject({
      code: "STORE_ERROR",
      remediation: expect.stringContaining("chown") as string,
    });
  });
  test("RS-76: where the index or everything is closed the store is refused, with what helps", async () => {
    await using bed = await bedOf(1);
    const codes = (closed: string) =>
      asNobody(bed, calls.slice(0, 3), closed).map(({ error, exit_code }) => [error?.code, exit_code]);
    const refused = ["STORE_ERROR", 5];
    expect(codes(indexOf(bed))).toEqual([refused, refused, refused]);
    expect(codes(folderOf(bed))).toEqual([refused, refused, refused]);
  });
});

describe("the ledger bears witness", () => {
  test("RS-114: records that are gone to the last are named, and may be another checkout's", async () => {
    await using bed = await bedOf(4);
    const ids = names(bed).map((name) => name.slice(9, -".json".length));
    rmSync(folderOf(bed), { recursive: true });
    const found = await findingsOf(bed);
    expect(found.map(({ level, subject }) => [level, subject])).toEqual([["warning", ids[0]]]);
    for (const id of ids) expect(found[0]?.message).toContain(id);
    await written(bed, "t5");
    expect((await findingsOf(bed)).map(({ subject }) => subject)).toEqual([ids[0]]);
  });
  test("RS-114: the first record is an error when it is gone, also without the index", async () => {
    await using bed = await bedOf(3);
    const [first = ""] = names(bed);
    rmSync(join(folderOf(bed), "untasked", first));
    rmSync(indexOf(bed));
    expect((await errorsOf(bed)).map(({ subject }) => subject)).toContain(first.slice(9, -".json".length));
  });
  test("RS-114: an answer that the ledger does not name is named, and one record is no records", async () => {
    await using bed = await bedThree();
    const a = await bed.assess("x", "material");
    const { results } = await bed.ok<{ results: { consultation: string }[] }>("reasoning.consult", {
      assessment: a,
    });
    const id = results[0]?.consultation ?? "";
    expect(await findingsOf(bed)).toEqual([]);
    // A copy of the records beside a ledger that knows none of them.
    await using other = bedNone();
    mkdirSync(join(other.root, ".writ"));
    execFileSync("cp", ["-r", folderOf(bed), join(other.root, ".writ/reasoning")]);
    const before = await findingsOf(other);
    expect(before.map(({ level, subject }) => [level, subject])).toEqual([
      ["warning", id],
      ["warning", "ledger"],
    ]);
    expect(before[1]?.message).toBe("4 records have no event");
    rmSync(join(folderOf(other), "told.json"));
    await written(other, "t");
    expect((await findingsOf(other)).find(({ subject }) => subject === id)).toMatchObject({
      level: "warning",
      message: expect.stringMatching(/answer.*later process/) as string,
    });
  });
});
