import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../../packages/writ/src/generated/commands.ts";
import { prints } from "../fakes/advisor-programs.ts";
import { bedNone, bedThree, type BedThree, concluding, localReview, says } from "./bed.ts";

interface Results {
  outcome: string;
  plan: { id: string };
  changed: boolean;
  results: {
    advisor: string;
    state: string;
    status?: string;
    consultation: string;
    reason?: string;
    refusal?: unknown;
  }[];
}
interface StatusData {
  state: {
    assessments: { id: string; standing: string; reuses?: string; prior_superseded_by?: string }[];
    conclusions: {
      id: string;
      superseded_by?: string;
      review: Record<string, unknown>;
      reusable: { ok: boolean; causes: string[] };
    }[];
    timeline: { seq: number; phase: string; summary: string }[];
    totals: Record<string, number>;
    unreadable: { file: string; cause: string }[];
    chain: { seq: number; digest: string };
  };
  report: string;
}

const consult = (bed: BedThree, assessment: string, more = {}) =>
  bed.ok<Results>("reasoning.consult", { assessment, ...more });
const answersOf = ({ results }: Results) => results.map(({ consultation }) => consultation);
const status = (bed: { ok: BedThree["ok"] }, input = {}) => bed.ok<StatusData>("reasoning.status", input);
const recordFiles = (root: string) =>
  readdirSync(join(root, ".writ/reasoning"), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".json") && name.includes("/"));

test("RS-60: what is material rests on evidence that is more than an opinion (RC-27)", async () => {
  await using bed = bedNone();
  const a = { kind: "assessment", subject: "x", materiality: "material" };
  expect(await bed.refusedRecord(a)).toBe("E_EVIDENCE_REQUIRED");
  const opinion = [{ kind: "prior_external_opinion", reference: "a colleague" }];
  expect(await bed.refusedRecord({ ...a, evidence: opinion })).toBe("E_EVIDENCE_REQUIRED");
  await bed.record({ ...a, materiality: "low" });
  expect(await bed.refusedRecord({ ...a, subject: " \u200B ", materiality: "low" })).toBe("E_BLANK_FIELD");
});

test("RS-3, RS-52: nothing that only the writer may say can be handed in (RC-28)", async () => {
  await using bed = bedNone();
  const a = await bed.assess("x", "low");
  const before = recordFiles(bed.root).length;
  for (const more of [{ selected: [] }, { budget: 2 }, { availability: [] }])
    expect(await bed.refusedRecord({ kind: "plan", assessment: a, ...more })).toBe("USAGE_ERROR");
  for (const more of [{ review: {} }, { review_count: 3 }, { reviewed_by: ["x"] }])
    expect(await bed.refusedRecord(concluding(a, more))).toBe("USAGE_ERROR");
  for (const more of [{ id: "x" }, { task: "t" }, { seq: 1 }, { recorded_at: "now" }])
    expect(await bed.refusedRecord({ kind: "assessment", subject: "y", ...more })).toBe("USAGE_ERROR");
  expect(await bed.refusedRecord({ kind: "vote", assessment: a })).toBe("USAGE_ERROR");
  expect(recordFiles(bed.root)).toHaveLength(before);
});

test.for(["cli", "http", "mcp"] as const)(
  "RS-66: over %s neither an answer nor a failure can be claimed (RC-36)",
  async (surface) => {
    await using bed = await bedThree();
    const a = await bed.assess("x", "material");
    const plan = await bed.plan(a);
    for (const kind of ["dispatch", "consultation"]) {
      const record = { kind, plan, advisor: "alpha", status: "timeout" };
      const { error } = await bed.call("reasoning.record", { record }, { surface });
      expect([error?.code, error?.category]).toEqual(["E_DISPATCH_REQUIRED", "policy"]);
      expect(error?.remediation).toContain("writ reasoning consult");
    }
  },
);

test("RS-65: who was not selected is not asked (RC-29)", async () => {
  await using bed = await bedThree();
  const a = await bed.assess("x", "material");
  await bed.plan(a);
  const { error } = await bed.call("reasoning.consult", { assessment: a, advisors: ["beta"] });
  expect([error?.code, error?.details?.selected]).toEqual(["E_NOT_SELECTED", ["alpha"]]);
  expect((await status(bed)).state.timeline.map(({ phase }) => phase)).toEqual(["uncertainty", "consulting"]);
});

test("RS-63: every answer is weighed, and the review is counted from exchanges (RC-31)", async () => {
  await using bed = await bedThree();
  const a = await bed.assess("x", "high");
  const [alpha = "", beta = ""] = answersOf(await consult(bed, a));
  const refused = await bed.call("reasoning.record", { record: concluding(a, { consultations: [alpha] }) });
  expect([refused.error?.code, refused.error?.details?.consultation]).toEqual(["E_UNWEIGHED_ANSWER", beta]);
  const other = await bed.assess("y", "high");
  bed.alpha.does("exit 3");
  const failed = (await consult(bed, other)).results[0]?.consultation ?? "";
  expect(await bed.refusedRecord(concluding(a, { consultations: [alpha, beta, failed] }))).toBe("E_CITATION");
  expect(await bed.refusedRecord(concluding(a, { consultations: [alpha, beta, a] }))).toBe("E_WRONG_KIND");
  const id = await bed.record(concluding(a, { consultations: [alpha, beta] }));
  const { state } = await status(bed);
  expect(state.conclusions.find((one) => one.id === id)?.review).toMatchObject({
    reviewed_by: ["alpha", "beta"],
    review_count: 2,
    independent_sources: ["v1", "v2"],
    independent_source_count: 2,
    basis: "reviewed",
  });
});

test("RS-6: a minority wins by evidence, and nothing counts who held what (RC-32)", async () => {
  await using bed = await bedThree({ env: { WRIT_REASONING_MODE: "strict" } });
  bed.gamma.says({ text: says("opposes", "gamma objects") });
  const a = await bed.assess("x", "critical");
  const [alpha = "", beta = "", gamma = ""] = answersOf(await consult(bed, a));
  const d = await bed.record({
    kind: "disagreement",
    assessment: a,
    positions: [
      { source: "primary", position: "it holds" },
      { source: alpha, position: "it holds" },
      { source: gamma, position: "it does not" },
    ],
    discriminating_question: "does it survive a restart?",
  });
  const cited = { consultations: [alpha, beta, gamma], disagreements: [d] };
  expect(await bed.refusedRecord(concluding(a, cited))).toBe("E_UNRESOLVED_DISAGREEMENT");
  const resolution = {
    kind: "resolution",
    disagreement: d,
    experiment: "restarted it",
    outcome: "it was gone",
    favours: gamma,
  };
  const bare = await bed.call("reasoning.record", { record: resolution });
  expect([bare.error?.code, bare.error?.message]).toEqual([
    "E_OPINION_NOT_EVIDENCE",
    "A disagreement is settled by evidence, never by a count.",
  ]);
  const opinions = [
    [{ kind: "prior_external_opinion", reference: "somebody" }],
    [{ kind: "record", reference: `record:${gamma}` }],
  ];
  for (const evidence of opinions)
    expect(await bed.refusedRecord({ ...resolution, evidence })).toBe("E_OPINION_NOT_EVIDENCE");
  const evidence = [{ kind: "test", reference: "restart.test.ts" }];
  expect(await bed.refusedRecord({ ...resolution, evidence, favours: beta })).toBe("E_DISAGREEMENT_SHAPE");
  await bed.record({ ...resolution, evidence });
  expect(await bed.refusedRecord({ ...resolution, evidence, favours: "primary" })).toBe("E_ALREADY_RESOLVED");
  expect(await bed.refusedRecord(concluding(a, { ...cited, disagreements: [] }))).toBe("E_CITATION");
  await bed.record(concluding(a, { ...cited, decision: "it does not hold" }));
  const { report } = await status(bed);
  expect(report).toContain("it does not hold");
  expect(report).not.toMatch(/\b(2|two)\b[^\n]*(support|against)/i);
});

test("RS-62: a disagreement has positions of distinct sources of this assessment (RC-33)", async () => {
  await using bed = await bedThree();
  const a = await bed.assess("x", "high");
  bed.beta.says({ reply: { status: 500, body: {} } });
  const [alpha = "", failed = ""] = answersOf(await consult(bed, a));
  const other = await bed.assess("y", "material");
  const [elsewhere = ""] = answersOf(await consult(bed, other));
  const primary = { source: "primary", position: "p" };
  const make = (positions: object[], more = {}) =>
    bed.refusedRecord({
      kind: "disagreement",
      assessment: a,
      positions,
      discriminating_question: "q",
      ...more,
    });
  expect(await make([primary])).toBe("E_DISAGREEMENT_SHAPE");
  expect(await make([primary, primary])).toBe("E_DISAGREEMENT_SHAPE");
  expect(await make([primary, { source: failed, position: "p" }])).toBe("E_DISAGREEMENT_SHAPE");
  expect(await make([primary, { source: elsewhere, position: "p" }])).toBe("E_DISAGREEMENT_SHAPE");
  expect(await make([primary, { source: alpha, position: " " }])).toBe("E_BLANK_FIELD");
  expect(await make([primary, { source: alpha, position: "p" }], { discriminating_question: "" })).toBe(
    "E_BLANK_FIELD",
  );
});

test("RS-63: what a material conclusion owes, and blanks inside lists (RC-34, RC-37)", async () => {
  await using bed = bedNone();
  const a = await bed.assess("x", "material");
  expect(await bed.refusedRecord(concluding(a, { evidence: [] }))).toBe("E_EVIDENCE_REQUIRED");
  expect(await bed.refusedRecord(concluding(a, { validation_plan: [] }))).toBe("E_VALIDATION_PLAN_REQUIRED");
  expect(await bed.refusedRecord(concluding(a, { rationale: "\t" }))).toBe("E_BLANK_FIELD");
  for (const [more, field] of [
    [{ evidence: [{ kind: "test", reference: " " }] }, "/evidence/0/reference"],
    [{ validation_plan: ["a", "\u200B\u2060"] }, "/validation_plan/1"],
  ] as const) {
    const { error } = await bed.call("reasoning.record", { record: concluding(a, more) });
    expect([error?.code, error?.details?.field]).toEqual(["E_BLANK_FIELD", field]);
  }
  expect(await bed.refusedRecord(concluding(a))).toBe("E_PLAN_REQUIRED");
  const low = await bed.assess("y", "low");
  await bed.record({ kind: "conclusion", assessment: low, decision: "d", rationale: "r" });
  const { state, report } = await status(bed);
  expect(state.conclusions[0]?.review).toMatchObject({ review_count: 0, basis: "local" });
  expect(report).toContain("local reasoning, no independent advisor");
});

test("RS-5, RS-50: without advisors the five steps are gone through and shown (RC-46)", async () => {
  await using bed = bedNone();
  const a = await bed.assess("x", "material");
  const consulted = await bed.ok<Results & { local_review: { step: string }[] }>("reasoning.consult", {
    assessment: a,
  });
  expect(consulted.outcome).toBe("decide_locally");
  expect(consulted.local_review).toHaveLength(5);
  expect((await bed.ok<Results>("reasoning.consult", { assessment: a })).changed).toBe(false);
  expect(await bed.refusedRecord(concluding(a))).toBe("E_LOCAL_REVIEW_REQUIRED");
  for (const field of ["alternative", "falsifier", "experiment", "result"])
    expect(await bed.refusedRecord(localReview(a, { [field]: " " }))).toBe("E_BLANK_FIELD");
  expect(await bed.refusedRecord(localReview(a, { assumptions: [] }))).toBe("E_BLANK_FIELD");
  await bed.record(localReview(a));
  await bed.record(concluding(a));
  const { state, report } = await status(bed);
  expect(state.conclusions[0]?.review).toMatchObject({ review_count: 0, basis: "local_review" });
  expect(report).toContain("local structured review, no independent advisor");
  expect(report).not.toContain("reviewed by");
  await bed.ok("reasoning.check");
});

test("RS-18: one conclusion stands, and the one before stays to be read (RC-35)", async () => {
  await using bed = bedNone();
  const a = await bed.assess("x", "low");
  const first = await bed.record({ kind: "conclusion", assessment: a, decision: "one", rationale: "r" });
  const second = { kind: "conclusion", assessment: a, decision: "two", rationale: "r" };
  expect(await bed.refusedRecord(second)).toBe("E_CONCLUSION_STANDS");
  expect(await bed.refusedRecord({ ...second, supersedes: a })).toBe("E_SUPERSEDE_REFUSED");
  const id = await bed.record({ ...second, supersedes: first });
  expect(await bed.refusedRecord({ ...second, decision: "three", supersedes: first })).toBe(
    "E_SUPERSEDE_REFUSED",
  );
  const { state, report } = await status(bed);
  expect(state.conclusions.map(({ superseded_by }) => superseded_by)).toEqual([id, undefined]);
  expect(report).not.toContain("Decided: one");
});

test.for(["opposes", "alternative"])("RS-63: an answer that %s is not swallowed (RC-38)", async (stance) => {
  await using bed = await bedThree();
  bed.alpha.does(prints(says(stance)));
  const a = await bed.assess("x", "material");
  const [alpha = ""] = answersOf(await consult(bed, a));
  const cited = { consultations: [alpha] };
  expect(await bed.refusedRecord(concluding(a, cited))).toBe("E_OPPOSITION_UNANSWERED");
  await bed.record(
    concluding(a, { ...cited, rejected: [{ option: "o", reason: "measured", consultation: alpha }] }),
  );
});

test("RS-64: a selection may be waived with a reason, an asked one may not, a late answer may be set aside (RC-30)", async () => {
  await using bed = await bedThree();
  const a = await bed.assess("x", "high");
  const plan = await bed.plan(a);
  await consult(bed, a, { advisors: ["alpha"] });
  const debt = await bed.call("reasoning.record", { record: concluding(a, { consultations: [] }) });
  expect([debt.error?.code, debt.error?.details?.advisor]).toEqual(["E_REVIEW_DEBT", "beta"]);
  const waive = (advisor: string) => ({ kind: "waiver", reason: "no time", selection: { plan, advisor } });
  expect(await bed.refusedRecord(waive("alpha"))).toBe("E_ALREADY_ASKED");
  expect(await bed.refusedRecord(waive("gamma"))).toBe("E_NOT_SELECTED");
  expect(await bed.refusedRecord({ kind: "waiver", reason: "r" })).toBe("USAGE_ERROR");
  await bed.record(waive("beta"));
  const { state } = await status(bed);
  const answer =
    (await consult(bed, a)).results.find(({ advisor }) => advisor === "alpha")?.consultation ?? "";
  expect(state.timeline.at(-1)?.phase).toBe("waiver");
  expect(await bed.refusedRecord({ kind: "waiver", reason: "r", consultation: answer })).toBe(
    "E_WAIVER_REFUSED",
  );
  await bed.record(concluding(a, { consultations: [answer] }));
  // Asked once more, after it was concluded: the answer is late.
  const again = await consult(bed, a, { replan: true });
  const late = again.results.map(({ consultation }) => consultation);
  expect((await status(bed)).state.assessments[0]?.standing).toBe("unweighed_answer");
  for (const consultation of late)
    await bed.record({ kind: "waiver", reason: "after the fact", consultation });
  expect((await status(bed)).state.assessments[0]?.standing).toBe("concluded");
});

test("RS-44: what a decision touches sets the least materiality (RC-44, RC-60)", async () => {
  await using bed = bedNone();
  const { error } = await bed.call("reasoning.record", {
    record: { kind: "assessment", subject: "x", materiality: "low", affects: ["naming", "security"] },
  });
  expect([error?.code, error?.details?.word, error?.details?.floor]).toEqual([
    "E_MATERIALITY_FLOOR",
    "security",
    "high",
  ]);
  await bed.assess("x", "high", { affects: ["security"] });
  const misspelt = await bed.call("reasoning.record", {
    record: { kind: "assessment", subject: "x", affects: ["securty"] },
  });
  expect([misspelt.error?.code, misspelt.error?.details?.nearest]).toEqual(["USAGE_ERROR", "security"]);
});

test("RS-59: the same again is safe (RC-45)", async () => {
  await using bed = bedNone();
  const record = { kind: "assessment", subject: "x", evidence: [{ kind: "file", reference: "seen.txt" }] };
  const first = await bed.ok<{ record: { id: string }; changed: boolean }>("reasoning.record", { record });
  const again = await bed.ok<typeof first>("reasoning.record", { record });
  expect([again.record.id, again.changed]).toEqual([first.record.id, false]);
  expect(recordFiles(bed.root)).toHaveLength(1);
  const conclusion = { kind: "conclusion", assessment: first.record.id, decision: "d", rationale: "r" };
  const k = await bed.record(conclusion);
  expect(await bed.record(conclusion)).toBe(k);
  const check = { kind: "validation", conclusion: k, check: "suite", outcome: "pass" };
  const v = await bed.record(check);
  expect(await bed.record(check)).toBe(v);
  expect(await bed.refusedRecord({ ...check, exit_code: 1 })).toBe("E_RECEIPT_CONTRADICTS");
});

test("RS-57: a rehearsal shows the record without its place and writes nothing (RC-19)", async () => {
  await using bed = bedNone();
  const record = { kind: "assessment", subject: "x" };
  const data = await bed.ok<{ record: Record<string, unknown> }>(
    "reasoning.record",
    { record },
    { dryRun: true },
  );
  expect(data.record).toMatchObject({ version: 1, task: "untasked" });
  expect([data.record.seq, data.record.prev]).toEqual([undefined, undefined]);
  expect((await status(bed)).state.totals.records).toBe(0);
});

test("RS-33: a hostile name reaches no folder (RC-43)", async () => {
  await using bed = bedNone();
  for (const id of ["../../outside", "a/b", "", "x".repeat(300), "a\nb", "untasked", "a..b"])
    expect(await bed.refused("task.start", { id }), id).toBe("E_TASK_ID_INVALID");
  bed.write(".writ/task.json", JSON.stringify({ id: "../../outside" }));
  expect(await bed.refusedRecord({ kind: "assessment", subject: "x" })).toBe("E_TASK_ID_INVALID");
});

test("RS-76: what cannot be read is listed, and everything else works (RC-40)", async () => {
  await using bed = bedNone();
  const a = await bed.assess("x", "low");
  bed.write(".writ/reasoning/untasked/broken.json", "{");
  const [file = ""] = recordFiles(bed.root).filter((name) => name.includes("assessment"));
  const text = readFileSync(join(bed.root, ".writ/reasoning", file), "utf8");
  bed.write(".writ/reasoning/untasked/other.json", text.replace('"version": 1', '"version": 2'));
  bed.write(".writ/reasoning/untasked/note.txt", "hello");
  const { state } = await status(bed);
  expect(state.unreadable.map(({ file: name, cause }) => `${name.split("/").at(-1)} ${cause}`)).toEqual([
    "broken.json unparsable",
    "other.json version",
  ]);
  expect(state.assessments.map(({ id }) => id)).toEqual([a]);
  const { data } = await bed.call("reasoning.check");
  expect((data.findings as { level: string }[]).filter(({ level }) => level === "error")).toHaveLength(2);
  await bed.assess("y", "low");
});

describe("secrets and what cannot be seen", () => {
  const shapes = [
    "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
    `sk-ant-${"a".repeat(20)}`,
    `sk-proj-${"b".repeat(24)}`,
    `ghp_${"c".repeat(24)}`,
    `github_pat_${"d".repeat(24)}`,
    `AKIA${"E".repeat(16)}`,
    `AIza${"f".repeat(35)}`,
    `xoxb-${"1".repeat(12)}`,
    `sk_live_${"g".repeat(20)}`,
    `Bearer ${"h".repeat(24)}`,
    `password = ${"i".repeat(20)}`,
  ];
  const text = `before\t\u001b[31m${shapes.join(" ")}\u0007 after\nnext`;
  test("RS-79, RS-80: a record keeps the text around and none of the eleven (RC-41)", async () => {
    await using bed = bedNone();
    const data = await bed.ok<{ record: { redacted: string[]; body: { facts: string[]; subject: string } } }>(
      "reasoning.record",
      {
        record: { kind: "assessment", subject: text, facts: [text], hypothesis: text, questions: [text] },
      },
    );
    expect(data.record.redacted).toHaveLength(11);
    const stored = data.record.body.facts[0] ?? "";
    expect(stored).toMatch(/^before \[redacted:pem-block\].* after\nnext$/s);
    expect(stored).toContain("password = [redacted:assignment]");
    expect(stored).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
  test("RS-89: nor does anything of it leave the machine (RC-42, RC-62)", async () => {
    await using bed = await bedThree({ env: { WRIT_REASONING_MODE: "strict" } });
    const a = await bed.assess("x", "critical", {
      facts: [text],
      hypothesis: "H",
      assumptions: ["A"],
      questions: ["Q"],
      evidence: [{ kind: "file", reference: "seen.txt", note: text }],
    });
    await consult(bed, a, { prior_opinions: ["a colleague doubts it"] });
    const briefs = [
      bed.alpha.brief(),
      bed.beta.requests[0]?.body ?? "",
      bed.gamma.requests.at(-1)?.body ?? "",
    ];
    for (const brief of briefs) {
      for (const secret of shapes.slice(1)) expect(brief).not.toContain(secret.split(" ").at(-1));
      expect(brief).not.toContain("BEGIN PRIVATE KEY");
      expect(brief).toContain("before");
    }
    expect(briefs[0]).toMatch(
      /FACTS, stated as verified locally[^]*EVIDENCE, references only\n- file: seen.txt[^]*ASSUMPTIONS, not verified\n- A[^]*HYPOTHESIS, an opinion of the asking side\n- H[^]*OPINIONS OF OTHERS, which may be wrong\n- a colleague/,
    );
    expect(briefs[0]).not.toContain("seen\n");
    expect(briefs[1]).not.toContain("alpha agrees");
  });
});

describe("reuse and standing", () => {
  const settled = async (bed: BedThree) => {
    const a = await bed.assess("Keep  Sessions", "material");
    const [alpha = ""] = answersOf(await consult(bed, a));
    const k = await bed.record(concluding(a, { consultations: [alpha] }));
    await bed.record({ kind: "validation", conclusion: k, check: "suite", outcome: "pass", exit_code: 0 });
    return { a, k };
  };
  test("RS-69: a standing conclusion is taken over, and let go when something changed (RC-47, RC-48)", async () => {
    await using bed = await bedThree();
    const { k } = await settled(bed);
    await bed.ok("task.start", { id: "next" });
    const again = await bed.assess("keep sessions ", "material");
    const plan = await bed.ok<{
      record: {
        body: { plan: { outcome: string; reuse: { candidate: string }; excluded: { code: string }[] } };
      };
    }>("reasoning.record", { record: { kind: "plan", assessment: again } });
    expect(plan.record.body.plan).toMatchObject({
      outcome: "reuse_prior",
      reuse: { candidate: k, accepted: true, causes: [] },
    });
    expect(new Set(plan.record.body.plan.excluded.map(({ code }) => code))).toEqual(
      new Set(["standing_conclusion"]),
    );
    const seen = await status(bed);
    expect(seen.state.assessments).toMatchObject([{ id: again, standing: "reused", reuses: k }]);
    expect(seen.report).toContain("Reused: keep sessions rests on");
    expect(seen.report).not.toContain("Unresolved");
    const explained = await bed.ok<{ reuses: { conclusion: { id: string }; chain: { phase: string }[] } }>(
      "reasoning.explain",
      { id: again },
    );
    expect(explained.reuses.conclusion.id).toBe(k);
    expect(explained.reuses.chain.map(({ phase }) => phase)).toContain("advisor_response");
    // Nothing new, though it says so.
    const promised = {
      kind: "assessment",
      subject: "keep sessions",
      materiality: "material",
      new_evidence: true,
    };
    expect(
      await bed.refusedRecord({ ...promised, evidence: [{ kind: "file", reference: "seen.txt" }] }),
    ).toBe("E_NO_NEW_EVIDENCE");
    const fresh = await bed.record({ ...promised, evidence: [{ kind: "test", reference: "new.test.ts" }] });
    const consulted = await consult(bed, fresh);
    expect(consulted.outcome).toBe("consult");
    const [answer = ""] = answersOf(consulted);
    await bed.record(concluding(fresh, { consultations: [answer], supersedes: k }));
    const after = (await status(bed)).state.assessments.find(({ id }) => id === again);
    expect(after?.prior_superseded_by).toMatch(/^conclusion_/);
    await bed.ok("reasoning.check");
  });
  test("RS-69, RS-106: a conclusion whose file changed is visibly stale, and is not taken over", async () => {
    await using bed = await bedThree();
    await settled(bed);
    writeFileSync(join(bed.root, "seen.txt"), "changed\n");
    const { state, report } = await status(bed);
    expect(state.conclusions[0]?.reusable).toEqual({ ok: false, causes: ["evidence_changed"] });
    expect(report).toContain("Stale: evidence_changed");
    bed.clock.seconds = 91 * 86_400;
    const again = await bed.assess("keep sessions", "high");
    const { plan } = await bed.ok<{ plan: { reuse: { causes: string[] }; outcome: string } }>(
      "reasoning.consult",
      { assessment: again },
    );
    expect(plan.outcome).toBe("consult");
    expect(plan.reuse.causes).toEqual(["lower_materiality", "expired", "evidence_changed"]);
  });
  test("RS-104, RS-105, RS-107: an assessment goes through every standing, and the time line tells it (RC-49, RC-50)", async () => {
    await using bed = await bedThree();
    const standing = async () => (await status(bed)).state.assessments[0]?.standing;
    const a = await bed.assess("x", "high");
    expect(await standing()).toBe("open");
    bed.beta.says({ reply: { status: 500, body: {} } });
    const [alpha = ""] = answersOf(await consult(bed, a));
    expect(await standing()).toBe("planned");
    const disagree = (question: string) =>
      bed.record({
        kind: "disagreement",
        assessment: a,
        positions: [
          { source: "primary", position: "p" },
          { source: alpha, position: "q" },
        ],
        discriminating_question: question,
      });
    const d = await disagree("one?");
    expect(await standing()).toBe("disputed");
    await bed.record({
      kind: "resolution",
      disagreement: d,
      experiment: "e",
      outcome: "o",
      favours: alpha,
      evidence: [{ kind: "test", reference: "t" }],
    });
    expect(await standing()).toBe("planned");
    const k = await bed.record(concluding(a, { consultations: [alpha], disagreements: [d] }));
    expect(await standing()).toBe("concluded");
    await bed.record({ kind: "validation", conclusion: k, check: "suite", outcome: "pass" });
    expect(await standing()).toBe("validated");
    await bed.record({ kind: "validation", conclusion: k, check: "load", outcome: "fail" });
    expect(await standing()).toBe("validation_failed");
    await bed.record({ kind: "validation", conclusion: k, check: "other", outcome: "pass" });
    expect(await standing()).toBe("validation_failed");
    await bed.record({ kind: "attempt", assessment: a, attempt: "tried", observed_failure: "fell over" });
    await disagree("two?");
    expect(await standing()).toBe("disputed");
    const { state, report } = await status(bed);
    expect(state.timeline.map(({ phase }) => phase)).toEqual([
      "uncertainty",
      "consulting",
      "asked",
      "asked",
      ...state.timeline.slice(4, 6).map(({ phase }) => phase),
      "disagreement",
      "experiment",
      "conclusion",
      "validation",
      "validation",
      "validation",
      "attempt",
      "disagreement",
    ]);
    expect(new Set(state.timeline.slice(2, 6).map(({ phase }) => phase))).toEqual(
      new Set(["asked", "advisor_response", "degradation"]),
    );
    expect(state.timeline.map(({ seq }) => seq)).toEqual(state.timeline.map((_, i) => i + 1));
    for (const line of [
      "Failed exchange: beta, unavailable",
      "Tried and failed: tried (fell over)",
      "Disagreement: two?",
      "Failed check: load",
    ])
      expect(report).toContain(line);
    expect(state.totals).toMatchObject({ answers: 1, failed_exchanges: 1, advisors: 1, sources: 1 });
  });
});

test("RS-110, CT-33: every record of a chain leads to the whole of it (RC-51)", async () => {
  await using bed = await bedThree();
  const a = await bed.assess("x", "material");
  await consult(bed, a);
  await bed.ok("task.start", { id: "other" });
  await bed.record({ kind: "attempt", assessment: a, attempt: "t", observed_failure: "f" });
  const alone = await bed.record({ kind: "attempt", attempt: "alone", observed_failure: "f" });
  const { state } = await status(bed, { task: "all" });
  const chains = await Promise.all(
    state.timeline.slice(0, -1).map(({ seq }) =>
      bed.ok<{ chain: { id: string }[]; assessment: { id: string } }>("reasoning.explain", {
        id: (state.timeline[seq - 1] as unknown as { id: string }).id,
      }),
    ),
  );
  for (const one of chains) {
    expect(one.assessment.id).toBe(a);
    expect(one.chain).toHaveLength(5);
  }
  expect((await bed.ok<{ chain: unknown[] }>("reasoning.explain", { id: alone })).chain).toHaveLength(1);
  const unknown = await bed.call("reasoning.explain", { id: "assessment_x" });
  expect([unknown.error?.code, unknown.exit_code]).toEqual(["E_NOT_FOUND", 2]);
  expect((await bed.ok<{ record: { id: string } }>("explain", { ref: `record:${a}` })).record.id).toBe(a);
  const attested = await bed.call("reasoning.explain", { id: a, attest: true });
  expect(attested.error?.code).toBe("E_WRONG_KIND");
});

test("RS-111: an attestation holds who reviewed what, and no text", async () => {
  await using bed = await bedThree();
  const a = await bed.assess("secret subject", "material");
  const [alpha = ""] = answersOf(await consult(bed, a));
  const k = await bed.record(concluding(a, { consultations: [alpha], decision: "a decision in words" }));
  const { attestation } = await bed.ok<{ attestation: Record<string, unknown> }>("reasoning.explain", {
    id: k,
    attest: true,
  });
  expect(attestation).toMatchObject({
    predicateType: "urn:writ:reasoning-review:1",
    predicate: { materiality: "material", review: { review_count: 1 } },
  });
  expect(JSON.stringify(attestation)).not.toMatch(/secret subject|in words|alpha agrees/);
  const told = await bed.ok<{ attestation: Record<string, unknown> }>("reasoning.explain", {
    id: k,
    attest: true,
    with_text: true,
  });
  expect(JSON.stringify(told.attestation)).toContain("in words");
});

test("RS-118: context, handover and status carry one report; without a task both are empty (RC-53, RC-54)", async () => {
  await using bed = await bedThree();
  expect(await bed.ok("task.status", { handover: true })).toMatchObject({ context: "", handover: "" });
  expect(await bed.ok("task.close")).toMatchObject({ handover: "", changed: false });
  await bed.ok("task.start", { id: "fix", title: "Fix it", profile: "routine" });
  expect(await bed.refused("task.start", { id: "two" })).toBe("E_TASK_OPEN");
  expect(await bed.ok("task.start", { id: "fix" })).toMatchObject({ changed: false });
  await bed.assess("x", "low");
  const { report, state } = await status(bed);
  const told = await bed.ok<{ context: string }>("task.status");
  expect(told.context).toContain("Profile routine; mode fast (profile routine)");
  expect(told.context).toContain(report.trimEnd());
  const closed = await bed.ok<{ handover: string }>("task.close");
  expect(closed.handover).toContain(state.chain.digest);
  expect(closed.handover).toContain(report.trimEnd());
  const strip = (answer: { data: Record<string, unknown> }) => ({ ...answer.data, workspace: undefined });
  const [cli, http, mcp] = await Promise.all(
    (["cli", "http", "mcp"] as const).map((surface) =>
      bed.call("reasoning.status", { task: "fix" }, { surface }),
    ),
  );
  expect(strip(http as never)).toEqual(strip(cli as never));
  expect(strip(mcp as never)).toEqual(strip(cli as never));
  expect((await bed.ok<{ tasks: { id: string }[] }>("task.list")).tasks.map(({ id }) => id)).toEqual(["fix"]);
});

test("RS-58: a reference that leads nowhere, or to another kind, is refused with what it is", async () => {
  await using bed = bedNone();
  const a = await bed.assess("x", "low");
  const refusalOf = async (record: object) =>
    (await bed.call("reasoning.record", { record: record as Record<string, unknown> })).error;
  expect(await refusalOf({ kind: "plan", assessment: "assessment_none" })).toMatchObject({
    code: "E_NOT_FOUND",
    details: { kind: "assessment", id: "assessment_none", field: "/assessment" },
  });
  expect(await refusalOf({ kind: "validation", conclusion: a, check: "c", outcome: "pass" })).toMatchObject({
    code: "E_WRONG_KIND",
    details: { id: a, kind: "assessment", needed: "conclusion" },
  });
  expect(await refusalOf(concluding(a, { risks: ["one", " \u200B"] }))).toMatchObject({
    code: "E_BLANK_FIELD",
    details: { field: "/risks/1" },
  });
});

test("RS-108: totals count answers, failures, distinct advisors and sources, and reported tokens (RC-52)", async () => {
  await using bed = await bedThree({ env: { WRIT_REASONING_MODE: "strict" } });
  bed.gamma.says({ reply: { status: 408, body: {} } });
  const first = await consult(bed, await bed.assess("x", "critical"));
  expect(first.results.map(({ status }) => status)).toEqual(["completed", "completed", "timeout"]);
  const second = await consult(bed, await bed.assess("y", "material"));
  expect(second.results.map(({ advisor }) => advisor)).toEqual(["alpha"]);
  const { state } = await status(bed);
  expect(state.totals).toEqual({
    records: 12,
    answers: 3,
    failed_exchanges: 1,
    advisors: 2,
    sources: 2,
    input_tokens: 100,
    output_tokens: 20,
  });
});

test("RS-18: no command changes or deletes a record (RC-39)", () => {
  const changing = commands.filter(({ id, mutates }) => /^(reasoning|task)\./.test(id) && mutates);
  expect(changing.map(({ id }) => id).toSorted()).toEqual([
    "reasoning.consult",
    "reasoning.record",
    "task.close",
    "task.start",
  ]);
});
