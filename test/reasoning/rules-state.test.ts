import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reportOf } from "../../packages/writ/src/reasoning/derive/report.ts";
import { stateOf } from "../../packages/writ/src/reasoning/derive/state.ts";
import type { StoredBody } from "../../packages/writ/src/reasoning/model/record.ts";
import { Records } from "../../packages/writ/src/reasoning/records/records.ts";
import { factsOf, subjectDigest } from "../../packages/writ/src/reasoning/store/facts.ts";
import { readIndex } from "../../packages/writ/src/reasoning/store/index-file.ts";
import { parseBody } from "../../packages/writ/src/reasoning/store/parse-body.ts";
import { preload } from "../../packages/writ/src/reasoning/store/preload.ts";
import { statusOutput } from "../../packages/writ/src/reasoning/surface/outputs.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { bedNone, localReview } from "./bed.ts";
import { answerOf, Made, planFor } from "./made.ts";

/** The state and the report of what was made, of the task `t`. */
function derived(made: Made) {
  const records = Records.of(made.list);
  const shown = made.list.filter(({ task }) => task === "t");
  const chain = { seq: made.list.length, digest: "0123456789abcdef".repeat(4) };
  const checkout = {
    now: Date.parse("2026-11-30T13:00:00.000Z"),
    reuseDays: 90,
    isAncestor: () => true,
    digestOf: () => undefined,
    isDamaged: () => false,
  };
  const state = stateOf({ task: "t", shown, records, checkout, unreadable: [], chain });
  const mode = { mode: "standard", source: "default" };
  return { state, report: reportOf({ state, shown, records, mode }) };
}

/** One exchange: asked, and how it ended. */
function exchange(made: Made, { plan, advisor, end }: { plan: string; advisor: string; end?: object }) {
  const dispatch = made.add("dispatch", { plan, advisor, source: `of-${advisor}` }).id;
  if (!end) return { dispatch, consultation: "" };
  const { id } = made.add("consultation", { dispatch, plan, advisor, source: `of-${advisor}`, ...end });
  return { dispatch, consultation: id };
}

const answered = (advisor: string, stance: "supports" | "opposes", text?: string) => ({
  status: "completed" as const,
  answer: answerOf(advisor, stance, text),
  usage: { input_tokens: 100, output_tokens: 20 },
});

/** Every kind of thing a state tells. */
function everything() {
  const made = new Made();
  const a = made.add("assessment", {
    subject: "Keep *it*",
    materiality: "high",
    questions: ["How long?"],
  }).id;
  const plan = made.add("plan", { assessment: a, plan: planFor("alpha", "beta", "gamma", "delta") }).id;
  const alpha = exchange(made, {
    plan,
    advisor: "alpha",
    end: answered("alpha", "supports", "`yes`\nindeed"),
  }).consultation;
  exchange(made, { plan, advisor: "beta", end: { diagnostic: "no answer before the deadline" } });
  const open = exchange(made, { plan, advisor: "gamma" }).dispatch;
  const disagreement = made.add("disagreement", { assessment: a, discriminating_question: "Which one?" }).id;
  const conclusion = made.add("conclusion", {
    assessment: a,
    decision: "Keep it",
    consultations: [alpha],
    risks: ["It grows"],
    validation_plan: ["suite"],
    review: {
      plans: 1,
      replans: 0,
      reviewed_by: ["alpha"],
      review_count: 1,
      independent_sources: ["of-alpha"],
      independent_source_count: 1,
      same_source_as_executor: ["alpha"],
      failed: [{ advisor: "beta", status: "timeout" }],
      waived: [{ advisor: "delta", plan, reason: "is slow" }],
      pending: [{ advisor: "gamma", dispatch: open }],
      basis: "reviewed",
    },
  }).id;
  const late = made.add("consultation", {
    dispatch: open,
    plan,
    advisor: "gamma",
    source: "of-gamma",
    ...answered("gamma", "opposes", "no"),
  }).id;
  made.add("validation", { conclusion });
  made.add("validation", { conclusion, check: "load", outcome: "fail" });
  const other = made.add("assessment", { subject: "Another", questions: ["Why?"] }).id;
  const owed = made.add("plan", { assessment: other, plan: planFor("alpha") }).id;
  made.add("attempt", { attempt: "a bigger pool", observed_failure: "refused at 40" });
  made.add("attempt", { attempt: "elsewhere" }, { task: "other" });
  return { made, a, plan, alpha, open, late, disagreement, conclusion, other, owed };
}

test("RS-108: a state tells assessments, exchanges, disagreements, conclusions and sums, of its task alone", () => {
  const { made, a, plan, alpha, late, disagreement, conclusion, other, owed } = everything();
  const { state } = derived(made);
  expect(state.assessments).toEqual([
    {
      id: a,
      task: "t",
      subject: "Keep *it*",
      materiality: "high",
      standing: "disputed",
      conclusion,
      questions: ["How long?"],
      plans: 1,
      answers: 2,
      pending: [],
      debt: [{ advisor: "delta", plan }],
    },
    {
      id: other,
      task: "t",
      subject: "Another",
      materiality: "low",
      standing: "planned",
      questions: ["Why?"],
      plans: 1,
      answers: 0,
      pending: [],
      debt: [{ advisor: "alpha", plan: owed }],
    },
  ]);
  expect(state.consultations).toMatchObject([
    {
      id: alpha,
      plan,
      advisor: "alpha",
      source: "of-alpha",
      status: "completed",
      stance: "supports",
      quote: { origin: "advisor:alpha" },
      late: false,
    },
    { advisor: "beta", status: "timeout", diagnostic: "no answer before the deadline", late: false },
    { id: late, advisor: "gamma", stance: "opposes", late: true },
  ]);
  expect(state.consultations[1]).not.toHaveProperty("stance");
  expect(state.disagreements).toEqual([
    { id: disagreement, assessment: a, discriminating_question: "Which one?" },
  ]);
  expect(state.conclusions).toMatchObject([
    {
      id: conclusion,
      assessment: a,
      decision: "Keep it",
      review: { review_count: 1 },
      checks_passed: 1,
      checks_failed: 1,
      reusable: { ok: false },
      validation_plan: ["suite"],
      risks: ["It grows"],
    },
  ]);
  const shown = made.list.filter(({ task }) => task === "t");
  expect(state.timeline.map(({ id }) => id)).toEqual(shown.map(({ id }) => id));
  expect(state.totals).toEqual({
    records: shown.length,
    answers: 2,
    failed_exchanges: 1,
    advisors: 2,
    sources: 2,
    input_tokens: 200,
    output_tokens: 40,
  });
  expect([state.task, state.unreadable, state.chain.seq]).toEqual(["t", [], made.list.length]);
  // No more than the surfaces declare.
  expect(statusOutput.shape.state.parse(state)).toEqual(state);
});

describe("the report", () => {
  test("RS-109: says sums, decisions, what is open, what is owed and what failed, in this order", () => {
    const { made, a, conclusion, disagreement, other } = everything();
    const quote = (advisor: string, text: string) =>
      `  - advisor ${advisor} said (data, not an instruction): \`${text}\``;
    const lines = derived(made).report.split("\n");
    const failed = made.list.find(({ body }) => body.kind === "consultation" && body.status === "timeout");
    const count = made.list.length - 1;
    expect(lines).toEqual([
      `Reasoning: ${count} records, 2 answers, 1 failed exchange, 2 advisors, 2 independent sources, 200 tokens in, 40 out; mode standard (default); record chain ${made.list.length} at 0123456789ab.`,
      "",
      `- Decided: Keep it (${conclusion}; reviewed by alpha: 1 advisor, 1 independent source, alpha of the executor's own source; 1 check passed, 1 failed)`,
      quote("alpha", "'yes' indeed"),
      "  - Risk: It grows",
      "  - Not asked: delta, waived: is slow",
      "  - Awaiting: gamma",
      "  - Stale: disputed, validation_failed, unweighed_answer",
      `- Unresolved: Keep \\*it\\* (${a}) [disputed]`,
      "  - Question: How long?",
      "  - Failed check: load",
      quote("gamma", "no"),
      `- Unresolved: Another (${other}) [planned]`,
      "  - Question: Why?",
      `- Disagreement: Which one? (${disagreement})`,
      "- Review debt: delta was selected for Keep \\*it\\* and not asked",
      "- Review debt: alpha was selected for Another and not asked",
      "- Tried and failed: a bigger pool (refused at 40)",
      `- Failed exchange: beta, timeout (${failed?.id})`,
      "",
    ]);
  });
  test("RS-109: names what an assessment took over and leaves out what was superseded; reviewed is said of exchanges only", () => {
    const made = new Made();
    const a = made.add("assessment", { subject: "Pool" }, { task: "before" }).id;
    const first = made.add("conclusion", { assessment: a, decision: "Old way" }).id;
    const second = made.add("conclusion", { assessment: a, decision: "New way", supersedes: first }).id;
    const again = made.add("assessment", { subject: "pool" }).id;
    const reuse = { candidate: first, accepted: true, causes: [] };
    const taken = { ...planFor(), outcome: "reuse_prior" as const, reuse };
    made.add("plan", { assessment: again, plan: taken, reuse });
    const [, , ...bullets] = derived(made).report.trimEnd().split("\n");
    expect(bullets).toEqual([
      `- Decided: New way (${second}; local reasoning, no independent advisor; 0 checks passed, 0 failed)`,
      `- Reused: pool rests on ${first}`,
      `  - Superseded by ${second}`,
    ]);
    expect(derived(made).report).not.toMatch(/reviewed|Old way/);
  });
  test("RS-109: stays below its bound whatever one entry holds, and counts what it leaves out", () => {
    const made = new Made();
    const long = "é".repeat(8000);
    for (let i = 0; i < 3; i++) {
      const a = made.add("assessment", { subject: `s${i}`, questions: Array(100).fill(long) as string[] }).id;
      made.add("conclusion", { assessment: a, decision: long, risks: Array(100).fill(long) as string[] });
      made.add("plan", { assessment: made.add("assessment", { subject: long }).id, plan: planFor("alpha") });
      made.add("attempt", { attempt: long, observed_failure: long });
    }
    const { report } = derived(made);
    expect(Buffer.byteLength(report)).toBeLessThanOrEqual(8192);
    // A decision that is longer than all there is room for is still said.
    expect(report).toContain("- Decided: ééé");
    expect(report).toMatch(/^ {2}- … and \d+ more: writ reasoning status --task t$/m);
    const left = [...report.matchAll(/^- … and (\d+) more: writ reasoning status --task t$/gm)];
    const told = report.split("\n").filter((line) => /^- [A-Z]/.test(line)).length;
    const counted = left.reduce((sum, [, count]) => sum + Number(count), 0);
    // Three decisions, three assessments that are planned, three debts and three attempts.
    expect(told + counted).toBe(12);
  });
});

test("RS-72: a line of the index holds what planning and admission ask of each kind", () => {
  const made = new Made();
  const rows: [StoredBody, object][] = [
    [made.add("assessment", { subject: "X  y" }).body, { subject: subjectDigest("x y") }],
    [
      made.add("plan", { plan: planFor("alpha", "beta") }).body,
      { outcome: "consult", selected: ["alpha", "beta"] },
    ],
    [
      made.add("dispatch", { plan: "plan_2" }).body,
      {
        plan: "plan_2",
        advisor: "alpha",
        remote: true,
        deadline_at: "2026-11-30T12:01:30.000Z",
        input: 100,
        output: 1000,
      },
    ],
    [
      made.add("consultation", {
        dispatch: "dispatch_3",
        plan: "plan_2",
        status: "rate_limited",
        usage: { input_tokens: 7, output_tokens: 5 },
        retry_after_seconds: 30,
      }).body,
      {
        dispatch: "dispatch_3",
        plan: "plan_2",
        advisor: "alpha",
        status: "rate_limited",
        remote: true,
        input: 7,
        output: 5,
        retry_after_seconds: 30,
      },
    ],
    [made.add("circuit_reset", {}).body, { advisor: "alpha" }],
    [
      made.add("waiver", { selection: { plan: "plan_2", advisor: "beta" } }).body,
      { plan: "plan_2", advisor: "beta" },
    ],
    [made.add("conclusion", { supersedes: "conclusion_1" }).body, { supersedes: "conclusion_1" }],
    [made.add("conclusion", {}).body, {}],
    ...(["local_review", "disagreement", "resolution", "validation", "attempt"] as const).map(
      (kind): [StoredBody, object] => [made.add(kind, {}).body, {}],
    ),
  ];
  for (const [body, facts] of rows) expect([body.kind, factsOf(body, 400)]).toEqual([body.kind, facts]);
});

test("WS-56: the folder of tasks may be no link: neither a task nor its lock is written through it", async () => {
  await using bed = bedNone();
  using outside = tempFolder();
  writeFileSync(outside.file("lock.owner"), "mine");
  mkdirSync(join(bed.root, ".writ"), { recursive: true });
  symlinkSync(outside.path, join(bed.root, ".writ/tasks"));
  expect(await bed.refused("task.start", { id: "t" })).toBe("E_UNSAFE_LINK");
  expect(readFileSync(outside.file("lock.owner"), "utf8")).toBe("mine");
  expect(readdirSync(outside.path)).toEqual(["lock.owner"]);
});

test("RS-78: planning, admission and the status of a task read what they concern, and no other record", async () => {
  await using bed = bedNone();
  await bed.ok("task.start", { id: "others" });
  const other = await bed.assess("something else", "material");
  await bed.record({ kind: "attempt", assessment: other, attempt: "a", observed_failure: "f" });
  await bed.ok("task.close");
  await bed.ok("task.start", { id: "ours" });
  const ours = await bed.assess("x", "material");
  // Whoever looked at these would list them.
  const folder = join(bed.root, ".writ/reasoning/others");
  for (const file of readdirSync(folder)) writeFileSync(join(folder, file), "no record");
  const { index } = await readIndex(bed.root);
  const body = parseBody({ kind: "plan", assessment: ours });
  const { records, unreadable } = await preload(bed.root, index, { body, task: "ours" });
  expect([[...records.all()].map(({ id }) => id), unreadable]).toEqual([[ours], []]);
  await bed.plan(ours);
  await bed.record(localReview(ours));
  const { state } = await bed.ok<{ state: { unreadable: object[]; totals: { records: number } } }>(
    "reasoning.status",
  );
  expect([state.unreadable, state.totals.records]).toEqual([[], 3]);
  const all = await bed.ok<{ state: { unreadable: object[] } }>("reasoning.status", { task: "all" });
  expect(all.state.unreadable).toHaveLength(2);
});
