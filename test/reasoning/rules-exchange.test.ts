import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ReasoningRecord } from "../../packages/writ/src/reasoning/model/record.ts";
import { openaiChatServer } from "../fakes/advisor-servers.ts";
import { type Bed, bedNone, bedThree, betaEntry, concluding, localReview, says } from "./bed.ts";

interface Consulted {
  assessment: string;
  plan: { id: string };
  outcome: string;
  local_review: { step: string }[];
  results: {
    advisor: string;
    state: string;
    status?: string;
    dispatch?: string;
    consultation?: string;
    answer?: { conclusion: string };
    diagnostic?: string;
    reason?: string;
  }[];
  usage: { input_tokens: number; output_tokens: number };
  changed: boolean;
  cancelled: boolean;
}
interface StatusData {
  state: {
    assessments: { standing: string }[];
    conclusions: { review: { review_count: number; reviewed_by: string[] } }[];
    timeline: { phase: string }[];
  };
}

const bodyOf = async (bed: Bed, id = ""): Promise<Record<string, unknown>> =>
  (await bed.ok<{ record: ReasoningRecord }>("reasoning.explain", { id })).record.body;

/** Every file of the workspace but Writ's own state, with its text. */
function treeOf(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true })
    .map(String)
    .filter((file) => !/^\.(writ|git)(\/|$)/.test(file) && statSync(join(root, file)).isFile());
  return Object.fromEntries(files.toSorted().map((file) => [file, readFileSync(join(root, file), "utf8")]));
}

const storedTexts = (root: string): string =>
  readdirSync(join(root, ".writ"), { recursive: true })
    .map((file) => join(root, ".writ", String(file)))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, "latin1"))
    .join("\n");

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("an exchange of three", () => {
  test("RS-2, RS-8, RS-10, RS-84, RS-90: who answered, who failed and who was left out is told and recorded; nothing else is kept or done", async () => {
    await using bed = await bedThree({ env: { WRIT_REASONING_MODE: "strict" } });
    const raw = `Surely, the unkept preamble.\n${JSON.stringify({
      conclusion: "Delete seen.txt and switch to mode fast",
      stance: "supports",
      actions: ["rm seen.txt", "echo reasoning: {mode: fast} >> workspace.yml"],
      reasoning_trace: "the unkept thoughts",
    })}`;
    bed.beta.says({ text: raw, usage: true });
    bed.alpha.does("echo 'error: out of paper' >&2; exit 3");
    const a = await bed.assess("x", "critical", { capabilities: ["test_review"], facts: ["a fact"] });
    const capabilities = ["independent_reasoning"];
    const b = await bed.assess("y", "critical", { capabilities });
    // Nobody offers what the first wants; the second asks all three.
    const nobody = await bed.call("reasoning.consult", { assessment: a });
    expect(nobody.data).toMatchObject({
      assessment: a,
      outcome: "decide_locally",
      results: [],
      changed: true,
    });
    expect((nobody.data.local_review as unknown[]).length).toBe(5);
    expect(nobody.warnings.map(({ code }) => code)).toEqual(["W_UNCOVERED_CAPABILITY"]);

    const plan = await bed.plan(b);
    bed.env.WRIT_ADVISORS_DISABLE = "gamma";
    const before = treeOf(bed.root);
    const answer = await bed.call("reasoning.consult", { assessment: b });
    const told = answer.data as unknown as Consulted;
    expect([answer.exit_code, answer.error]).toEqual([0, null]);
    expect(told).toMatchObject({
      assessment: b,
      plan: { id: plan, outcome: "consult" },
      outcome: "consult",
      local_review: [],
      results: [
        { advisor: "alpha", state: "failed", status: "error", diagnostic: expect.stringContaining("paper") },
        { advisor: "beta", state: "answered", status: "completed", answer: { stance: "supports" } },
        { advisor: "gamma", state: "skipped", reason: "disabled_by_configuration" },
      ],
      usage: { input_tokens: 100, output_tokens: 20 },
      changed: true,
      cancelled: false,
    });
    expect(answer.warnings.map(({ code }) => code)).toEqual(["W_ADVISOR_FAILED", "W_REVIEW_DEBT"]);
    // Both ends are records, and who was left out has none.
    const [alpha, beta, gamma] = told.results;
    expect([gamma?.dispatch, gamma?.consultation]).toEqual([undefined, undefined]);
    expect(await bodyOf(bed, alpha?.consultation)).toMatchObject({ advisor: "alpha", status: "error" });
    const asked = await bodyOf(bed, beta?.dispatch);
    const ended = await bodyOf(bed, beta?.consultation);
    expect(ended).toMatchObject({ advisor: "beta", status: "completed", plan, dispatch: beta?.dispatch });
    // The brief and the answer are kept as digests and sizes of what was sent and what came.
    const sent = JSON.parse(bed.beta.requests.at(-1)?.body ?? "{}") as { messages: { content: string }[] };
    const brief = sent.messages[0]?.content ?? "";
    expect(asked).toMatchObject({
      request_sha256: sha256(brief),
      request_bytes: Buffer.byteLength(brief),
    });
    expect(sha256(bed.alpha.brief())).toBe(asked.request_sha256);
    expect(ended).toMatchObject({ response_sha256: sha256(raw), response_bytes: Buffer.byteLength(raw) });
    const stored = storedTexts(bed.root);
    expect(stored).toContain("Delete seen.txt and switch");
    for (const kept of ["unkept", "You are an independent reviewer", "<<<BRIEF"])
      expect(stored).not.toContain(kept);
    // What it advised was not done.
    expect(treeOf(bed.root)).toEqual(before);
    const { mode } = await bed.ok<{ mode: { mode: string } }>("reasoning.advisors");
    expect(mode.mode).toBe("strict");
  });
});

test("RS-67: an answer counts though nobody may be asked any more when it comes", async () => {
  let bed: Bed | undefined;
  await using server = await openaiChatServer(() => {
    if (bed) Object.assign(bed.env, { WRIT_REASONING_MODE: "ci", WRIT_ADVISORS_DISABLE: "all" });
    delete bed?.env.BETA_KEY;
    return { text: says("supports", "in time") };
  });
  await using made = bedNone({ advisors: [betaEntry], env: { BETA_KEY: "b-secret", BETA_URL: server.url } });
  bed = made;
  const a = await made.assess("x", "material");
  const { results } = await made.ok<Consulted>("reasoning.consult", { assessment: a });
  expect(results).toMatchObject([{ state: "answered" }]);
  const { advisors } = await made.ok<{ advisors: { reason: string }[] }>("reasoning.advisors");
  expect(advisors[0]?.reason).toBe("mode_ci");
  await made.record(concluding(a, { consultations: [results[0]?.consultation] }));
  const { state } = await made.ok<StatusData>("reasoning.status");
  expect(state.conclusions[0]?.review).toMatchObject({ review_count: 1, reviewed_by: ["beta"] });
  expect((await made.call("reasoning.check")).error).toBeNull();
});

test.for(["cli", "http", "mcp"] as const)(
  "RS-1, RS-4: over %s, with nothing there at all, what matters is walked from evidence to validation and no step is left out",
  async (surface) => {
    await using bed = bedNone();
    bed.env.PATH = "";
    const call = async (record: object) => {
      const { data, error } = await bed.call("reasoning.record", { record }, { surface });
      return error?.code ?? (data.record as { id: string }).id;
    };
    const uncertain = { kind: "assessment", subject: "x", materiality: "high" };
    expect(await call(uncertain)).toBe("E_EVIDENCE_REQUIRED");
    const a = await call({ ...uncertain, evidence: [{ kind: "file", reference: "seen.txt" }] });
    expect(await call(concluding(a))).toBe("E_PLAN_REQUIRED");
    const consulted = await bed.call("reasoning.consult", { assessment: a }, { surface });
    expect(consulted.data).toMatchObject({ outcome: "decide_locally" });
    expect(await call(concluding(a))).toBe("E_LOCAL_REVIEW_REQUIRED");
    await call(localReview(a));
    expect(await call(concluding(a, { evidence: [] }))).toBe("E_EVIDENCE_REQUIRED");
    expect(await call(concluding(a, { validation_plan: [] }))).toBe("E_VALIDATION_PLAN_REQUIRED");
    const conclusion = await call(concluding(a));
    await call({ kind: "validation", conclusion, check: "the suite", outcome: "pass" });
    const { state } = await bed.ok<StatusData>("reasoning.status");
    expect(state.timeline.map(({ phase }) => phase)).toEqual([
      "uncertainty",
      "local",
      "local_review",
      "conclusion",
      "validation",
    ]);
    expect(state.assessments[0]?.standing).toBe("validated");
  },
);

test("RS-11, RS-12: what is concluded stays a record of its checkout: no document is written, git sees nothing, another checkout has none", async () => {
  await using bed = bedNone({ env: { PATH: process.env.PATH ?? "" } });
  await using other = bedNone();
  const git = (...args: string[]) => execFileSync("git", ["-C", bed.root, ...args], { encoding: "utf8" });
  git("init", "-q");
  await bed.ok("workspace.bootstrap", { offline: true });
  git("add", "-A");
  const before = [treeOf(bed.root), git("status", "--porcelain")];
  const a = await bed.assess("x", "low");
  const k = await bed.record({
    kind: "conclusion",
    assessment: a,
    decision: "Use one queue",
    rationale: "r",
  });
  expect([treeOf(bed.root), git("status", "--porcelain")]).toEqual(before);
  expect([git("ls-files", ".writ"), before[1]]).toEqual(["", expect.stringContaining("seen.txt")]);
  // It is cited by its name, here only.
  const { data } = await bed.call("explain", { ref: `record:${k}` });
  expect(JSON.stringify(data)).toContain("Use one queue");
  expect(await other.refused("reasoning.explain", { id: k })).toBe("E_NOT_FOUND");
  const { report } = await other.ok<{ report: string }>("reasoning.status", { task: "all" });
  expect(report).toBe("");
});
