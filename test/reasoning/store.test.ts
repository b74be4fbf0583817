import { execFileSync, spawn, spawnSync } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { canMount, smallDisk } from "../fixtures/small-disk.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { bedNone, bedThree, concluding } from "./bed.ts";

interface Stored {
  id: string;
  seq: number;
  prev: string;
  digest: string;
  recorded_at: string;
  test_clock?: true;
}
interface Check {
  ok: boolean;
  findings: { check: string; level: string; subject: string; message: string; rules: string[] }[];
}
interface StatusData {
  state: {
    totals: { records: number };
    chain: { seq: number; digest: string };
    timeline: { seq: number; phase: string; id: string }[];
  };
}

const entry = join(import.meta.dirname, "../entry/reasoning-crash.ts");
// Children compile the same modules; the first to end leaves the others what it made of them.
const compiled = tempFolder("writ-compiled");
afterAll(() => compiled[Symbol.dispose]());
const childEnv = (env: Record<string, string>) => ({ ...env, CI: "", NODE_COMPILE_CACHE: compiled.path });
const folderOf = (root: string) => join(root, ".writ/reasoning");

function records(root: string): { file: string; text: string }[] {
  return readdirSync(folderOf(root), { recursive: true })
    .map(String)
    .filter((name) => /\/\d+-.*\.json$/.test(name))
    .sort((a, b) => ((a.split("/").at(-1) ?? "") < (b.split("/").at(-1) ?? "") ? -1 : 1))
    .map((file) => ({ file, text: readFileSync(join(folderOf(root), file), "utf8") }));
}

async function checked(bed: { call: ReturnType<typeof bedNone>["call"] }): Promise<Check> {
  return (await bed.call("reasoning.check")).data as unknown as Check;
}
const errors = ({ findings }: Check) => findings.filter(({ level }) => level === "error");

test("RS-71, RS-52: records are sorted JSON that name the one before by its digest, and the ledger names each", async () => {
  await using bed = bedNone();
  const a = await bed.assess("x", "low");
  const k = await bed.record({ kind: "conclusion", assessment: a, decision: "d", rationale: "r" });
  const [first, second] = records(bed.root);
  const { createHash } = await import("node:crypto");
  const digest = createHash("sha256")
    .update(first?.text ?? "")
    .digest("hex");
  expect(JSON.parse(second?.text ?? "")).toMatchObject({ seq: 2, prev: digest, id: k });
  expect(JSON.parse(first?.text ?? "")).toMatchObject({ seq: 1, prev: "0".repeat(64) });
  const { events } = await bed.ok<{ events: { kind: string; subjects: string[] }[] }>("ledger.list", {
    limit: 50,
  });
  const named = events.filter(({ kind }) => kind === "reasoning.recorded").map(({ subjects }) => subjects[0]);
  expect(named).toEqual([`record:${k}`, `record:${a}`]);
  expect(await checked(bed)).toMatchObject({ ok: true, findings: [] });
});

test("RS-73, RS-123, RS-124: fifty writers at once in one process and in several, and no place is given twice", async () => {
  await using bed = bedNone();
  const a = await bed.assess("x", "low");
  const record = (i: number) =>
    bed.call("reasoning.record", {
      record: { kind: "attempt", assessment: a, attempt: `a${i}`, observed_failure: "f" },
    });
  const conclude = (i: number) =>
    bed.call("reasoning.record", {
      record: { kind: "conclusion", assessment: a, decision: `d${i}`, rationale: "r" },
    });
  const others = [1, 2].map(
    (n) =>
      new Promise<number | null>((resolve) => {
        const given = JSON.stringify({
          record: { kind: "attempt", attempt: `process ${n}`, observed_failure: "f" },
        });
        const child = spawn(process.execPath, [entry, bed.root, "record", "-", "1", given], {
          // The clock of one of them is set, which its record says.
          env: childEnv({ ...bed.env, ...(n === 1 && { WRIT_TEST_CLOCK: "2026-11-30T11:59:59.000Z" }) }),
          stdio: "ignore",
        });
        child.once("close", resolve);
      }),
  );
  const answers = await Promise.all([
    ...Array.from({ length: 40 }, (_, i) => record(i)),
    ...Array.from({ length: 8 }, (_, i) => conclude(i)),
  ]);
  expect(await Promise.all(others)).toEqual([0, 0]);
  const codes = answers.map(({ error }) => error?.code ?? "ok");
  expect(codes.slice(0, 40)).toEqual(Array(40).fill("ok"));
  expect(codes.slice(40).filter((code) => code !== "E_CONCLUSION_STANDS")).toEqual(["ok"]);
  const found = records(bed.root).map(({ text }) => JSON.parse(text) as Stored);
  expect(found.map(({ seq }) => seq)).toEqual(found.map((_, i) => i + 1));
  expect(found).toHaveLength(44);
  expect(found.filter((one) => one.test_clock).map((one) => one.recorded_at)).toEqual([
    "2026-11-30T11:59:59.000Z",
  ]);
  expect(errors(await checked(bed))).toEqual([]);
});

describe("a process that is killed", () => {
  const killed = (root: string, env: Record<string, string>, ...args: string[]) => {
    const ran = spawnSync(process.execPath, [entry, root, ...args], {
      env: childEnv(env),
      encoding: "utf8",
    });
    if (ran.signal !== "SIGKILL") throw new Error(`${args.join(" ")}: ${ran.stdout}${ran.stderr}`);
  };
  test.for([
    ["line", 1],
    ["record", 2],
    ["ledger", 2],
  ] as const)(
    "RS-74: at its %s leaves the records before or after, and the next writer completes them",
    async ([moment, after]) => {
      await using bed = bedNone();
      const a = await bed.assess("x", "low");
      const given = JSON.stringify({
        record: { kind: "attempt", assessment: a, attempt: "t", observed_failure: "f" },
      });
      killed(bed.root, bed.env, "record", moment, "1", given);
      const { state } = await bed.ok<StatusData>("reasoning.status");
      expect(state.chain.seq).toBe(after);
      expect(errors(await checked(bed))).toEqual([]);
      await bed.record({ kind: "attempt", attempt: "next", observed_failure: "f" });
      const found = records(bed.root).map(({ text }) => JSON.parse(text) as Stored);
      expect(found.map(({ seq }) => seq)).toEqual(Array.from({ length: after + 1 }, (_, i) => i + 1));
      const { events } = await bed.ok<{ events: { kind: string }[] }>("ledger.list", { limit: 100 });
      expect(events.filter(({ kind }) => kind === "reasoning.recorded")).toHaveLength(after + 1);
      const { findings } = await checked(bed);
      expect(findings.filter(({ rules }) => rules.includes("ledger")).map(({ level }) => level)).toEqual(
        after === 2 ? ["warning"] : [],
      );
    },
  );
  test.for(["planned", "dispatched", "answered"])(
    "RS-83, RS-85, RS-114: a consultation killed when it had %s is resumed and asks once more (RC-69)",
    async (moment) => {
      await using bed = await bedThree();
      const a = await bed.assess("x", "material");
      const given = JSON.stringify({ assessment: a });
      killed(bed.root, bed.env, "consult", moment, "1", given);
      // A dispatch that nothing refers to yet, changed by hand to another advisor, is one finding.
      const dispatch = records(bed.root).find(({ file }) => file.includes("dispatch"));
      const path = join(folderOf(bed.root), dispatch?.file ?? "index.ndjson");
      const bytes = readFileSync(path);
      if (dispatch) writeFileSync(path, dispatch.text.replace('"advisor": "alpha"', '"advisor": "beta"'));
      const wrong = errors(await checked(bed)).map(({ rules }) =>
        rules.filter((rule) => rule !== "ledger" && rule !== "stamp"),
      );
      expect(wrong).toEqual(moment === "planned" ? [] : [["digest", "X2"]]);
      writeFileSync(path, bytes);
      const { results } = await bed.ok<{ results: { state: string }[] }>("reasoning.consult", {
        assessment: a,
      });
      expect(results.map(({ state }) => state)).toEqual(["answered"]);
      const { state } = await bed.ok<StatusData>("reasoning.status");
      const lost = moment === "planned" ? [] : ["asked", "degradation"];
      expect(state.timeline.map(({ phase }) => phase)).toEqual([
        "uncertainty",
        "consulting",
        ...lost,
        "asked",
        "advisor_response",
      ]);
      expect(errors(await checked(bed))).toEqual([]);
    },
  );
});

describe("the index is a cache", () => {
  test("RS-75: deleted, torn or garbled it is made anew, and nothing is lost", async () => {
    await using bed = bedNone();
    const a = await bed.assess("x", "low");
    const index = join(folderOf(bed.root), "index.ndjson");
    for (const harm of [
      () => rmSync(index),
      () => appendFileSync(index, '{"seq": 9'),
      () => writeFileSync(index, "garbage\n"),
    ]) {
      harm();
      const seen = await bed.ok<StatusData>("reasoning.status");
      expect(seen.state.totals.records).toBe(seen.state.chain.seq);
      await bed.record({
        kind: "attempt",
        assessment: a,
        attempt: `after ${seen.state.chain.seq}`,
        observed_failure: "f",
      });
    }
    const { state } = await bed.ok<StatusData>("reasoning.status");
    expect(state.totals.records).toBe(4);
    expect(errors(await checked(bed))).toEqual([]);
  });
});

describe("what was changed by hand is named", () => {
  test.for([
    ["a text", '"subject": "x"', '"subject": "y"', ["digest"]],
    ["a sequence", '"seq": 1', '"seq": 7', ["digest", "name"]],
    ["a review that rises", '"review_count": 0', '"review_count": 3', ["digest", "review"]],
  ] as const)("RS-114: %s is one finding, with or without the index (RC-69)", async ([, from, to, rules]) => {
    await using bed = bedNone();
    const a = await bed.assess("x", "low");
    await bed.record({ kind: "conclusion", assessment: a, decision: "d", rationale: "r" });
    await bed.record({ kind: "attempt", assessment: a, attempt: "t", observed_failure: "f" });
    const target = records(bed.root).find(({ text }) => text.includes(from));
    writeFileSync(join(folderOf(bed.root), target?.file ?? ""), (target?.text ?? "").replace(from, to));
    const answer = await bed.call("reasoning.check");
    expect([answer.error?.code, answer.exit_code]).toEqual(["E_CHECK_FINDINGS", 2]);
    const found = errors(answer.data as unknown as Check);
    expect(found).toHaveLength(1);
    expect(target?.file).toContain(found[0]?.subject ?? "?");
    expect(found[0]?.rules).toEqual([...rules, "ledger"].filter((rule, i, all) => all.indexOf(rule) === i));
    expect((await bed.call("workspace.doctor", { offline: true })).error?.code).toBe("E_DOCTOR_FAILED");
    rmSync(join(folderOf(bed.root), "index.ndjson"));
    expect(errors(await checked(bed)).map(({ subject }) => subject)).toContain(found[0]?.subject);
  });
  test("RS-114: a record that is gone is named, in the middle and at the end", async () => {
    await using bed = bedNone();
    const a = await bed.assess("x", "low");
    for (const i of [1, 2])
      await bed.record({ kind: "attempt", assessment: a, attempt: `t${i}`, observed_failure: "f" });
    const files = records(bed.root);
    for (const at of [1, 2]) {
      rmSync(join(folderOf(bed.root), files[at]?.file ?? ""));
      expect(errors(await checked(bed)).map(({ subject }) => subject)).toContain(
        /\d+-(.*)\.json/.exec(files[at]?.file ?? "")?.[1],
      );
      writeFileSync(join(folderOf(bed.root), files[at]?.file ?? ""), files[at]?.text ?? "");
    }
    expect(errors(await checked(bed))).toEqual([]);
  });
});

describe("the place", () => {
  test("RS-70: a link where records would be written is refused, and files are the user's own", async () => {
    await using bed = bedNone();
    using outside = tempFolder();
    await bed.assess("x", "low");
    expect(execFileSync("stat", ["-c", "%a", folderOf(bed.root)], { encoding: "utf8" }).trim()).toBe("700");
    rmSync(join(folderOf(bed.root), "untasked"), { recursive: true });
    symlinkSync(outside.path, join(folderOf(bed.root), "untasked"));
    expect(await bed.refusedRecord({ kind: "assessment", subject: "y" })).toBe("E_UNSAFE_LINK");
    expect(readdirSync(outside.path)).toEqual([]);
  });
  test("RS-53: evidence outside the workspace is refused, also through a link", async () => {
    await using bed = bedNone();
    symlinkSync("/etc/hostname", join(bed.root, "out"));
    for (const reference of ["../x", "/etc/hostname", "out"])
      expect(
        await bed.refusedRecord({
          kind: "assessment",
          subject: "x",
          evidence: [{ kind: "file", reference }],
        }),
      ).toBe("E_UNSAFE_PATH");
    const answer = await bed.call("reasoning.record", {
      record: { kind: "assessment", subject: "x", evidence: [{ kind: "file", reference: "absent" }] },
    });
    expect(answer.warnings.map(({ code }) => code)).toEqual(["W_EVIDENCE_UNRESOLVED"]);
  });
  test("RS-77: a clock that jumps changes no order", async () => {
    await using bed = bedNone();
    bed.clock.seconds = 10_000;
    const a = await bed.assess("x", "low");
    bed.clock.seconds = 0;
    const answer = await bed.call("reasoning.record", {
      record: { kind: "attempt", assessment: a, attempt: "t", observed_failure: "f" },
    });
    expect(answer.warnings.map(({ code }) => code)).toContain("W_CLOCK_BACKWARDS");
    const { state } = await bed.ok<StatusData>("reasoning.status");
    expect(state.timeline.map(({ seq }) => seq)).toEqual([1, 2]);
    const { findings } = await checked(bed);
    expect(findings.map(({ level, rules }) => [level, rules])).toEqual([["warning", ["stamp"]]]);
  });
  test.runIf(canMount())(
    "RS-123: on a full disk a record is refused whole, and the next one goes on",
    async () => {
      await using bed = bedNone();
      using disk = smallDisk(join(bed.root, ".writ"));
      const a = await bed.assess("x", "low");
      const free = disk.fill();
      const attempt = { kind: "attempt", assessment: a, attempt: "t", observed_failure: "f" };
      expect(await bed.refusedRecord(attempt)).toBe("STORE_ERROR");
      expect((await bed.ok<StatusData>("reasoning.status")).state.chain.seq).toBe(1);
      free();
      await bed.record(attempt);
      expect(records(bed.root)).toHaveLength(2);
      expect(errors(await checked(bed))).toEqual([]);
    },
  );
});

test("RS-3, RS-55, RS-123: no sequence of calls makes the review rise without an exchange", async () => {
  await using bed = await bedThree();
  const a = await bed.assess("x", "material");
  bed.alpha.does("exit 1");
  const { results } = await bed.ok<{ results: { consultation: string }[] }>("reasoning.consult", {
    assessment: a,
  });
  const failed = results[0]?.consultation ?? "";
  const ids = fc.constantFrom(a, failed, "consultation_0", "primary");
  const claim = fc.oneof(
    fc.record({
      kind: fc.constant("consultation"),
      plan: ids,
      advisor: fc.constant("alpha"),
      status: fc.constant("completed"),
      answer: fc.constant({ conclusion: "c", stance: "supports" }),
    }),
    fc.record({ kind: fc.constant("dispatch"), plan: ids, advisor: fc.constant("alpha") }),
    fc.record({
      kind: fc.constant("attempt"),
      assessment: fc.constant(a),
      attempt: fc.string(),
      observed_failure: fc.string(),
    }),
    fc.record({
      kind: fc.constant("local_review"),
      assessment: fc.constant(a),
      alternative: fc.constant("o"),
      assumptions: fc.constant([{ text: "t" }]),
      falsifier: fc.constant("f"),
      experiment: fc.constant("e"),
      result: fc.string(),
    }),
    fc.record({
      kind: fc.constant("disagreement"),
      assessment: fc.constant(a),
      positions: fc.array(fc.record({ source: ids, position: fc.constant("p") }), { maxLength: 3 }),
      discriminating_question: fc.constant("q"),
    }),
    fc.record({
      kind: fc.constant("circuit_reset"),
      advisor: fc.constant("alpha"),
      reason: fc.constant("r"),
    }),
    fc.record({ kind: fc.constant("waiver"), reason: fc.constant("r"), consultation: ids }),
    fc
      .record({
        consultations: fc.array(ids, { maxLength: 2 }),
        supersedes: fc.option(ids, { nil: undefined }),
        extra: fc.constantFrom({}, { review: { review_count: 9 } }, { reviewed_by: ["alpha"] }),
      })
      .map(({ extra, supersedes, ...more }) =>
        concluding(a, { ...more, ...(supersedes && { supersedes }), ...extra }),
      ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(claim, { minLength: 1, maxLength: 6 }), async (claims) => {
      for (const record of claims) await bed.call("reasoning.record", { record });
      const { state } = await bed.ok<{
        state: {
          conclusions: { review: { review_count: number; basis: string } }[];
          totals: { answers: number };
        };
      }>("reasoning.status");
      expect(state.totals.answers).toBe(0);
      for (const { review } of state.conclusions)
        expect(review).toMatchObject({ review_count: 0, reviewed_by: [] });
    }),
    { numRuns: 25 },
  );
  expect(errors(await checked(bed))).toEqual([]);
});
