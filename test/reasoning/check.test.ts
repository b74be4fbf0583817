import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  coupledFiles,
  providerIndependentModules,
  shippedNames,
} from "../../packages/writ/src/reasoning/check/coupling.ts";
import { replay } from "../../packages/writ/src/reasoning/check/replay.ts";
import type { ReasoningRecord } from "../../packages/writ/src/reasoning/model/record.ts";
import { digestOf, recordText } from "../../packages/writ/src/reasoning/store/record-bytes.ts";
import { walk, sources } from "../architecture/source.ts";
import {
  advisorsYml,
  alphaEntry,
  bedNone,
  bedThree,
  betaEntry,
  concluding,
  gammaEntry,
  localReview,
} from "./bed.ts";

interface Found {
  check: string;
  level: string;
  subject: string;
  message: string;
  rules: string[];
}
const errorsOf = async (bed: { call: ReturnType<typeof bedNone>["call"] }) => {
  const { data } = await bed.call("reasoning.check");
  return (data.findings as Found[]).filter(({ level }) => level === "error");
};

test("RS-115: with nobody there every check passes, and doctor says optional (RC-69)", async () => {
  await using bed = bedNone({ advisors: [alphaEntry, betaEntry] });
  const verdict = await bed.ok<{ checks: { name: string; status: string }[] }>("reasoning.check");
  expect(verdict.checks.map(({ name, status }) => `${name} ${status}`)).toEqual([
    "settings ok",
    "catalogue ok",
    "adapters ok",
    "coupling ok",
    "ci ok",
    "claims ok",
    "records ok",
  ]);
  const { data } = await bed.call("workspace.doctor", { offline: true });
  const ours = (data.checks as { id: string; status: string; message: string }[]).filter(({ id }) =>
    id.startsWith("reasoning."),
  );
  expect(ours.filter(({ status }) => status === "fail" || status === "warn")).toEqual([]);
  expect(ours.filter(({ status }) => status === "info").map(({ message }) => message)).toEqual([
    "alpha is unavailable (executable_not_found), beta is not configured (credential_absent); optional",
  ]);
});

describe("one planted drift is one finding", () => {
  const shared = bedNone();
  const gone = { recursive: true, force: true };
  afterAll(() => shared[Symbol.asyncDispose]());
  const planted: [string, string, (bed: ReturnType<typeof bedNone>) => void][] = [
    ["ci", "BETA_KEY", (bed) => bed.write(".github/workflows/ci.yml", "env:\n  BETA_KEY: x\n")],
    ["claims", "majority vote decides", (bed) => bed.write("docs/a.md", "Here a majority vote decides.\n")],
    ["claims", "requires beta", (bed) => bed.write("README.md", "This requires Beta.\n")],
    [
      "catalogue",
      "no table has",
      (bed) => bed.write("advisors.yml", advisorsYml([{ ...alphaEntry, vendor: "nobody" }])),
    ],
    [
      "catalogue",
      "declared twice",
      (bed) => bed.write("advisors.yml", advisorsYml([alphaEntry, alphaEntry])),
    ],
    [
      "catalogue",
      "offers no capability",
      (bed) => bed.write("advisors.yml", advisorsYml([{ ...alphaEntry, capabilities: [] }])),
    ],
    [
      "adapters",
      "does not exist",
      (bed) => bed.write("advisors.yml", advisorsYml([{ ...alphaEntry, adapter: "telepathy" }])),
    ],
    [
      "catalogue",
      "declares a peer",
      (bed) => bed.write("advisors.yml", advisorsYml([{ ...gammaEntry, transport: "peer" }])),
    ],
    [
      "catalogue",
      "sees only the brief",
      (bed) =>
        bed.write("advisors.yml", advisorsYml([{ ...alphaEntry, capabilities: ["repository_analysis"] }])),
    ],
  ];
  test.for(planted)("RS-24, RS-112: %s: %s (RC-69)", async ([check, said, plant]) => {
    for (const file of [".github", "docs", "README.md"]) rmSync(join(shared.root, file), gone);
    const claims = { forbidden_claims: ["majority vote decides"] };
    shared.write("advisors.yml", advisorsYml([alphaEntry, betaEntry, gammaEntry], claims));
    expect(await errorsOf(shared)).toEqual([]);
    plant(shared);
    const found = await errorsOf(shared);
    expect(found.map((one) => one.check)).toEqual([check]);
    expect(found[0]?.message).toContain(said);
    const only = { offline: true, check: `reasoning.${check}` };
    expect((await shared.call("workspace.doctor", only)).error?.code).toBe("E_DOCTOR_FAILED");
  });
  test("RS-112: what is marked as a quotation, or allowed, is no finding (RC-69)", async () => {
    await using bed = bedNone({ advisors: [betaEntry] });
    bed.write("advisors.yml", advisorsYml([betaEntry], { forbidden_claims: ["majority vote decides"] }));
    bed.write("README.md", "<!-- writ:quote -->\na majority vote decides\n<!-- /writ:quote -->\n");
    bed.write(".gitlab-ci.yml", "x: $BETA_KEY # writ:allow\n");
    expect(await errorsOf(bed)).toEqual([]);
  });
});

describe("no advisor is known by name", () => {
  test("RS-16, RS-113: no module outside the tables and the dialects names one, and a planted name is found", async () => {
    const modules = (await providerIndependentModules()) ?? [];
    const seen = modules.map(({ file }) => file);
    for (const file of [
      "policy/policy.ts",
      "admit/admit.ts",
      "availability/availability.ts",
      "consult/consult.ts",
      "store/append.ts",
    ])
      expect(seen).toContain(file);
    expect(coupledFiles(modules)).toEqual([]);
    const planted = coupledFiles([{ file: "policy/policy.ts", text: 'if (advisor === "gpt") return' }]);
    expect(planted).toMatchObject([{ check: "coupling", level: "error", subject: "policy/policy.ts" }]);
    expect(shippedNames()).toContain("codex-exec");
  });
  test("RS-14, RS-15: the pure modules do no input or output, and only the dialects open a connection", () => {
    const io = /^node:(fs|net|https?|http2|tls|dgram|dns|child_process|worker_threads)(\/|$)/;
    const pure =
      /^reasoning\/(policy|admit|records|model|tables)\/|^reasoning\/(availability\/(availability|circuit|limits|address)|catalogue\/(merge|findings)|reuse\/(reuse|glob)|derive\/(state|standing|timeline|report|words|attest|next|next-lines)|consult\/(brief|normalise|find-object|choose-plan)|check\/(replay|finding))\.ts$/;
    const allowed = new Set(["redact", "findSecrets", "sha256Hex", "canonicalJson", "counted"]);
    const wrong: string[] = [];
    let seen = 0;
    for (const source of sources("reasoning/**/*.ts")) {
      walk(source.tree, (node) => {
        if (node.type !== "ImportDeclaration") return;
        const from = String((node.source as { value?: unknown }).value);
        const names = ((node.specifiers ?? []) as { imported?: { name?: string } }[]).map(
          ({ imported }) => imported?.name ?? "",
        );
        if (pure.test(source.file)) {
          seen++;
          if (io.test(from)) wrong.push(`${source.file} ${from}`);
          if (from.endsWith("platform/index.ts"))
            wrong.push(...names.filter((name) => !allowed.has(name)).map((name) => `${source.file} ${name}`));
        }
        const contacts =
          /^node:(net|https?|http2|tls|dgram|dns|child_process)$/.test(from) ||
          names.some((name) => ["startProcess", "runProcess", "request"].includes(name));
        if (contacts && !source.file.startsWith("reasoning/advisors/"))
          wrong.push(`${source.file} contacts by ${from}`);
      });
    }
    expect(seen).toBeGreaterThan(40);
    expect(wrong).toEqual([]);
  });
});

/** A chain of records with real bytes, written as a writer that keeps no rule would. */
function forge(root: string, records: ReasoningRecord[]): void {
  const folder = join(root, ".writ/reasoning/untasked");
  mkdirSync(folder, { recursive: true });
  let prev = "0".repeat(64);
  for (const [i, record] of records.entries()) {
    const text = recordText({ ...record, seq: i + 1, prev });
    prev = digestOf(text);
    writeFileSync(join(folder, `${String(i + 1).padStart(8, "0")}-${record.id}.json`), text);
  }
}

let nth = 0;
const uuid = () => `01930000-0000-7000-8000-${String(++nth).padStart(12, "0")}`;
function made(body: Record<string, unknown>): ReasoningRecord {
  return {
    schema: "writ/reasoning-record",
    version: 1,
    id: `${body.kind}_${uuid()}`,
    seq: nth,
    prev: "",
    task: "untasked",
    recorded_at: "2026-11-30T12:00:00.000Z",
    actor: "user:ana",
    act: "act_1",
    capability: "reasoning.record",
    redacted: [],
    input_sha256: "0".repeat(64),
    body,
  } as unknown as ReasoningRecord;
}

const evidence = [{ kind: "test", reference: "t" }];
const assessment = (more = {}) =>
  made({
    kind: "assessment",
    subject: `s${nth}`,
    materiality: "low",
    confidence: "medium",
    affects: [],
    facts: [],
    assumptions: [],
    questions: [],
    evidence,
    capabilities: [],
    new_evidence: false,
    confidential: false,
    ...more,
  });
const noReview = {
  plans: 0,
  replans: 0,
  reviewed_by: [],
  review_count: 0,
  independent_sources: [],
  independent_source_count: 0,
  same_source_as_executor: [],
  failed: [],
  waived: [],
  pending: [],
  basis: "local",
};
const conclusion = (a: string, more = {}) =>
  made({
    kind: "conclusion",
    assessment: a,
    decision: "d",
    rationale: "r",
    evidence,
    consultations: [],
    disagreements: [],
    rejected: [],
    assumptions: [],
    risks: [],
    validation_plan: ["v"],
    confidence: "medium",
    review: noReview,
    ...more,
  });

test("RS-114: replay names every rule that a record breaks, and no other record (RC-72)", async () => {
  await using bed = bedNone();
  const records: ReasoningRecord[] = [];
  const broken: [string, ReasoningRecord][] = [];
  const add = (record: ReasoningRecord) => (records.push(record), record);
  const wrong = (rule: string, record: ReasoningRecord) => (broken.push([rule, add(record)]), record);
  for (let i = 0; i < 900; i++) add(assessment());
  const a = add(assessment()).id;
  const m = add(assessment({ materiality: "material" })).id;
  wrong("A1", assessment({ subject: " " }));
  wrong("A3", assessment({ affects: ["governance"] }));
  wrong("A4", assessment({ materiality: "high", evidence: [] }));
  const review = (more = {}) => made({ ...localReview(a), evidence: [], ...more });
  wrong("L1", review({ assessment: "assessment_none" }));
  wrong("L2", review({ falsifier: "" }));
  const disagreement = (more = {}) =>
    made({
      kind: "disagreement",
      assessment: a,
      positions: [
        { source: "primary", position: "p" },
        { source: "primary", position: "q" },
      ],
      divergent_assumptions: [],
      discriminating_question: "q",
      ...more,
    });
  wrong("D1", disagreement({ assessment: "assessment_none", positions: [] }));
  wrong("K1", conclusion("assessment_none"));
  wrong("K2", conclusion(add(assessment()).id, { rationale: "" }));
  const k = add(conclusion(add(assessment()).id)).id;
  wrong("K14", conclusion(add(assessment()).id, { supersedes: k }));
  wrong("K7", conclusion(add(assessment()).id, { consultations: ["consultation_none"] }));
  wrong("K10", conclusion(add(assessment()).id, { disagreements: ["disagreement_none"] }));
  wrong("review", conclusion(add(assessment()).id, { review: { ...noReview, review_count: 2 } }));
  wrong("K5", conclusion(m, { review: noReview }));
  wrong(
    "V1",
    made({
      kind: "validation",
      conclusion: "conclusion_none",
      check: "c",
      outcome: "pass",
      evidence: [],
      settles: [],
    }),
  );
  wrong(
    "V3",
    made({
      kind: "validation",
      conclusion: k,
      check: "c",
      outcome: "pass",
      exit_code: 2,
      evidence: [],
      settles: [],
    }),
  );
  wrong("T1", made({ kind: "attempt", attempt: "", observed_failure: "f", evidence: [] }));
  wrong("Y1", made({ kind: "waiver", reason: "r" }));
  wrong("Y2", made({ kind: "waiver", reason: "r", selection: { plan: "plan_none", advisor: "a" } }));
  wrong("Y3", made({ kind: "waiver", reason: "r", consultation: "consultation_none" }));
  const dispatch = {
    kind: "dispatch",
    plan: "plan_none",
    advisor: "a",
    attempt: 1,
    adapter: "x",
    adapter_version: "1",
    transport: "api",
    target: "t",
    remote: true,
    source: "s",
    request_sha256: "0".repeat(64),
    request_bytes: 1,
    reserve_tokens: 1,
    deadline_at: "2026-11-30T12:00:00.000Z",
  };
  wrong("X1", made(dispatch));
  const end = {
    kind: "consultation",
    dispatch: "dispatch_none",
    plan: "plan_none",
    advisor: "a",
    status: "timeout",
    question: "q",
    duration_ms: 1,
    response_bytes: 0,
    source: "s",
    remote: true,
  };
  wrong("C1", made(end));
  wrong("C5", made({ ...end, status: "completed" }));
  wrong(
    "S1",
    made({
      kind: "resolution",
      disagreement: "disagreement_none",
      experiment: "e",
      outcome: "o",
      favours: "neither",
      evidence,
    }),
  );
  forge(bed.root, records);
  const found = await errorsOf(bed);
  expect(found.map(({ subject }) => subject).sort((x, y) => (x < y ? -1 : 1))).toEqual(
    broken.map(([, { id }]) => id).sort((x, y) => (x < y ? -1 : 1)),
  );
  for (const [rule, { id }] of broken)
    expect(found.find(({ subject }) => subject === id)?.rules, rule).toContain(rule);
});

test("RS-123: what admission accepts passes the replay", async () => {
  await using bed = await bedThree();
  const a = await bed.assess("x", "high");
  const { results } = await bed.ok<{ results: { consultation: string }[] }>("reasoning.consult", {
    assessment: a,
  });
  const k = await bed.record(
    concluding(a, { consultations: results.map(({ consultation }) => consultation) }),
  );
  await bed.record({ kind: "validation", conclusion: k, check: "c", outcome: "fail", exit_code: 1 });
  const { state } = await bed.ok<{ state: { timeline: { id: string }[] } }>("reasoning.status");
  const records = await Promise.all(
    state.timeline.map(
      async ({ id }) => (await bed.ok<{ record: ReasoningRecord }>("reasoning.explain", { id })).record,
    ),
  );
  expect(replay(records, { now: Date.parse("2026-12-01T00:00:00Z") })).toEqual([]);
  const lied = records.map((one) =>
    one.body.kind === "plan" ? { ...one, body: { ...one.body, plan: { ...one.body.plan, budget: 3 } } } : one,
  );
  expect(
    replay(lied as ReasoningRecord[], { now: Date.parse("2026-12-01T00:00:00Z") }).map(({ rules }) => rules),
  ).toEqual([["plan"]]);
});

test("RS-26: the shipped model ids are those the vendors' packages list", async () => {
  const { shippedModels } = await import("../../packages/writ/src/reasoning/tables/models.ts");
  const list = (name: string) =>
    readFileSync(join(import.meta.dirname, "../../node_modules/@ai-sdk", name, "dist/index.d.ts"), "utf8");
  for (const { vendor, native_id = "" } of shippedModels.filter((one) => one.maker === undefined))
    expect(list(vendor ?? "")).toMatch(new RegExp(`['"]${native_id.replaceAll(".", "\\.")}['"]`));
});

test("RS-25, RS-26: what ships is sound: every reference leads somewhere and nothing is a finding", async () => {
  const { readTables } = await import("../../packages/writ/src/reasoning/catalogue/read.ts");
  const { catalogue, findings } = await readTables("/nowhere");
  expect(findings).toEqual([]);
  expect(catalogue.advisors.map(({ id }) => id)).toEqual([
    "gpt",
    "claude",
    "gemini",
    "codex",
    "claude-code",
    "openai-compatible",
    "ollama",
    "lmstudio",
    "llamacpp",
  ]);
  expect(catalogue.vocabulary).toHaveLength(6);
});
