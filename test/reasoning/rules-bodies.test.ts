import { describe, expect, test } from "vitest";
import { catalogue, type ErrorCode, fail, WritError } from "../../packages/writ/src/contract/index.ts";
import { admit } from "../../packages/writ/src/reasoning/admit/admit.ts";
import { shippedNames } from "../../packages/writ/src/reasoning/check/coupling.ts";
import type { StoredBody } from "../../packages/writ/src/reasoning/model/record.ts";
import { Records } from "../../packages/writ/src/reasoning/records/records.ts";
import { parseBody } from "../../packages/writ/src/reasoning/store/parse-body.ts";
import { reasoningSchemas } from "../../packages/writ/src/reasoning/surface/schemas.ts";
import { statusOf } from "../../packages/writ/src/surfaces/http/status.ts";
import { bedNone } from "./bed.ts";
import { Made, planFor } from "./made.ts";

interface Fields {
  properties: Record<string, { const?: string; default?: unknown }>;
  required: string[];
  additionalProperties: boolean;
}
const schema = reasoningSchemas()["reasoning-record"] as unknown as {
  oneOf: Fields[];
  $defs: { stored: { properties: { body: { oneOf: Fields[] } } } };
};
/** `subject*` where it is needed, `materiality=low` where it has a default, else the name alone. */
const told = ({ properties, required, additionalProperties }: Fields): [string, string] => {
  expect(additionalProperties).toBe(false);
  const { kind, ...fields } = properties;
  const shown = Object.entries(fields).map(([name, { default: value }]) => {
    if (value !== undefined && !Array.isArray(value)) return `${name}=${String(value)}`;
    return required.includes(name) ? `${name}*` : name;
  });
  return [String(kind?.const), shown.toSorted().join(" ")];
};
const sorted = (fields: string) => fields.split(" ").toSorted().join(" ");

const byCallers = {
  assessment:
    "subject* materiality=low confidence=medium hypothesis affects facts assumptions questions evidence capabilities new_evidence=false confidential=false",
  plan: "assessment* again=false",
  local_review: "assessment* alternative* assumptions* falsifier* experiment* result* evidence",
  disagreement: "assessment* positions* divergent_assumptions discriminating_question* experiment",
  resolution: "disagreement* experiment* outcome* favours* evidence",
  conclusion:
    "assessment* decision* rationale* evidence consultations disagreements rejected assumptions risks validation_plan confidence=medium supersedes",
  validation: "conclusion* check* outcome* command exit_code output_sha256 evidence",
  attempt: "assessment attempt* observed_failure* assumption_invalidated evidence updated_hypothesis",
  waiver: "reason* selection consultation",
  circuit_reset: "advisor* reason*",
};
const byDriver = {
  dispatch:
    "plan* advisor* attempt* adapter* adapter_version* transport* target* remote* vendor model source* request_sha256* request_bytes* reserve_tokens* deadline_at*",
  consultation:
    "dispatch* plan* advisor* status* question* answer diagnostic retry_after_seconds retry_after_capped duration_ms* usage response_sha256 response_bytes* model source* remote*",
};
/** What the writer adds to what it is handed. */
const computed = {
  plan: "plan availability reuse executor_source brief_bytes",
  conclusion: "review",
  validation: "settles",
};

describe("the kinds of records", () => {
  test("RS-54: a caller records ten kinds, each with its fields and no other", () => {
    expect(Object.fromEntries(schema.oneOf.map(told))).toEqual(
      Object.fromEntries(Object.entries(byCallers).map(([kind, fields]) => [kind, sorted(fields)])),
    );
  });
  test("RS-54: two more are stored, which only who asks can write", () => {
    const stored = schema.$defs.stored.properties.body.oneOf;
    const names = (fields: string) => fields.replaceAll(/\*|=\S+/g, "").split(" ");
    const kinds = Object.fromEntries(
      stored.map(({ properties: { kind, ...fields } }) => [kind?.const, Object.keys(fields).toSorted()]),
    );
    expect(kinds).toEqual(
      Object.fromEntries(
        Object.entries({ ...byCallers, ...byDriver }).map(([kind, fields]) => [
          kind,
          [...names(fields), ...names(computed[kind as keyof typeof computed] ?? "")]
            .filter((name) => name !== "")
            .toSorted(),
        ]),
      ),
    );
    const driver = stored.filter(({ properties: { kind } }) => Object.hasOwn(byDriver, kind?.const ?? ""));
    expect(Object.fromEntries(driver.map(told))).toEqual(
      Object.fromEntries(Object.entries(byDriver).map(([kind, fields]) => [kind, sorted(fields)])),
    );
    for (const kind of Object.keys(byDriver)) {
      expect(() => parseBody({ kind })).toThrow(expect.objectContaining({ code: "E_DISPATCH_REQUIRED" }));
    }
  });
  test("RS-4: no kind and no field of a record knows a vendor, model, program or advisor by name", () => {
    const text = JSON.stringify(reasoningSchemas()["reasoning-record"]);
    expect(shippedNames().length).toBeGreaterThan(20);
    expect(shippedNames().filter((name) => text.includes(`"${name}"`))).toEqual([]);
  });
});

/** Records of every kind, on one assessment, and what each kind may name. */
function story() {
  const made = new Made();
  const assessment = made.add("assessment", {}).id;
  const plan = made.add("plan", { assessment, plan: planFor("alpha") }).id;
  const dispatch = made.add("dispatch", { plan }).id;
  made.add("consultation", { dispatch, plan });
  made.add("disagreement", { assessment });
  const conclusion = made.add("conclusion", { assessment }).id;
  const draft = new Made();
  const bodies: [of: string, needed: string, (id: string) => StoredBody][] = [
    ["plan", "assessment", (id) => draft.add("plan", { assessment: id }).body],
    ["local_review", "assessment", (id) => draft.add("local_review", { assessment: id }).body],
    ["disagreement", "assessment", (id) => draft.add("disagreement", { assessment: id }).body],
    ["resolution", "disagreement", (id) => draft.add("resolution", { disagreement: id }).body],
    ["conclusion", "assessment", (id) => draft.add("conclusion", { assessment: id }).body],
    [
      "conclusion",
      "consultation",
      (id) => draft.add("conclusion", { assessment, consultations: [id], supersedes: conclusion }).body,
    ],
    [
      "conclusion",
      "disagreement",
      (id) => draft.add("conclusion", { assessment, disagreements: [id], supersedes: conclusion }).body,
    ],
    ["validation", "conclusion", (id) => draft.add("validation", { conclusion: id }).body],
    ["attempt", "assessment", (id) => draft.add("attempt", { assessment: id }).body],
    ["waiver", "plan", (id) => draft.add("waiver", { selection: { plan: id, advisor: "alpha" } }).body],
    ["waiver", "consultation", (id) => draft.add("waiver", { consultation: id }).body],
    ["dispatch", "plan", (id) => draft.add("dispatch", { plan: id }).body],
    ["consultation", "dispatch", (id) => draft.add("consultation", { dispatch: id, plan }).body],
  ];
  const records = Records.of(made.list);
  return {
    bodies,
    assessment,
    refusalOf: (body: StoredBody) => admit(body, { records }),
    /** The id of a record that is not of the kind. */
    other: (needed: string) => (needed === "assessment" ? plan : assessment),
  };
}

describe("what every record is refused for", () => {
  test("RS-58: an id that nobody recorded, and a record of another kind, are named with what was needed", () => {
    const { bodies, refusalOf, other } = story();
    for (const [of, needed, body] of bodies) {
      const unknown = refusalOf(body("nobody_1"));
      expect([of, unknown?.code, unknown?.failure.details]).toEqual([
        of,
        "E_NOT_FOUND",
        expect.objectContaining({ kind: needed, id: "nobody_1" }),
      ]);
      const wrong = refusalOf(body(other(needed)));
      expect([of, wrong?.code, wrong?.failure.details]).toEqual([
        of,
        "E_WRONG_KIND",
        expect.objectContaining({ id: other(needed), kind: other(needed).split("_")[0], needed }),
      ]);
    }
  });
  test("RS-58: a text that is blank, or a blank item of any list, is named by its place", () => {
    const { assessment, refusalOf } = story();
    const draft = new Made();
    const blank: [StoredBody, string][] = [
      [draft.add("assessment", { subject: " \n" }).body, "/subject"],
      [draft.add("assessment", { facts: ["a", " "] }).body, "/facts/1"],
      [draft.add("assessment", { questions: [""] }).body, "/questions/0"],
      [
        draft.add("assessment", { evidence: [{ kind: "file", reference: " " }] }).body,
        "/evidence/0/reference",
      ],
      [draft.add("local_review", { assessment, falsifier: "" }).body, "/falsifier"],
      [draft.add("local_review", { assessment, assumptions: [{ text: "" }] }).body, "/assumptions/0/text"],
      [draft.add("local_review", { assessment, assumptions: [] }).body, "/assumptions"],
      [draft.add("conclusion", { assessment, rationale: "\t" }).body, "/rationale"],
      [
        draft.add("conclusion", { assessment, rejected: [{ option: "o", reason: "" }] }).body,
        "/rejected/0/reason",
      ],
      [draft.add("validation", { conclusion: "conclusion_6", check: "" }).body, "/check"],
      [draft.add("attempt", { observed_failure: "" }).body, "/observed_failure"],
      [draft.add("waiver", { reason: "", consultation: "consultation_4" }).body, "/reason"],
      [draft.add("circuit_reset", { reason: "" }).body, "/reason"],
    ];
    for (const [body, field] of blank) {
      const refusal = refusalOf(body);
      expect([body.kind, refusal?.code, refusal?.failure.details?.field]).toEqual([
        body.kind,
        "E_BLANK_FIELD",
        field,
      ]);
    }
  });
  test("RS-58, RS-61: a record may refer to another task's, and a plan to an assessment only", async () => {
    await using bed = bedNone();
    await bed.ok("task.start", { id: "first" });
    const a = await bed.assess("x", "material");
    await bed.ok("task.close");
    await bed.ok("task.start", { id: "second" });
    const plan = await bed.plan(a);
    const { state } = await bed.ok<{ state: { timeline: { id: string }[] } }>("reasoning.status");
    expect(state.timeline.map(({ id }) => id)).toEqual([plan]);
    expect(await bed.refusedRecord({ kind: "plan", assessment: "assessment_none" })).toBe("E_NOT_FOUND");
    expect(await bed.refusedRecord({ kind: "plan", assessment: plan })).toBe("E_WRONG_KIND");
  });
});

test("RS-61: a plan is computed by the writer with what it was computed from, and not while a setting is wrong", async () => {
  await using bed = bedNone({ advisors: [] });
  const a = await bed.assess("x", "material");
  const refusals: [string, () => void, () => void][] = [
    [
      "E_UNKNOWN_MODE",
      () => Object.assign(bed.env, { WRIT_REASONING_MODE: "loud" }),
      () => delete bed.env.WRIT_REASONING_MODE,
    ],
    [
      "E_INVALID_SETTING",
      () => Object.assign(bed.env, { WRIT_REASONING_COOLDOWN_SECONDS: "soon" }),
      () => delete bed.env.WRIT_REASONING_COOLDOWN_SECONDS,
    ],
    [
      "E_CATALOGUE_INVALID",
      () => bed.write("providers.yml", "version: 2\n"),
      () => bed.write("providers.yml", "version: 1\n"),
    ],
  ];
  for (const [code, harm, heal] of refusals) {
    harm();
    expect(await bed.refusedRecord({ kind: "plan", assessment: a })).toBe(code);
    heal();
  }
  for (const field of ["plan", "availability", "reuse", "brief_bytes"])
    expect(await bed.refusedRecord({ kind: "plan", assessment: a, [field]: {} })).toBe("USAGE_ERROR");
  const { record } = await bed.ok<{ record: { seq: number; body: object } }>("reasoning.record", {
    record: { kind: "plan", assessment: a },
  });
  expect(record.seq).toBe(2);
  expect(record.body).toMatchObject({
    plan: { outcome: "decide_locally", reason_code: "nobody_available" },
    availability: [],
    brief_bytes: expect.any(Number),
  });
});

describe("errors of reasoning", () => {
  const rows: [string, number, number, string][] = [
    ["usage", 1, 400, "USAGE_ERROR E_UNKNOWN_CAPABILITY E_TASK_ID_INVALID"],
    ["data", 2, 404, "E_NOT_FOUND"],
    [
      "data",
      2,
      422,
      "E_UNKNOWN_MODE E_INVALID_SETTING E_CATALOGUE_INVALID E_WRONG_KIND E_BLANK_FIELD E_LIMIT E_MATERIALITY_FLOOR E_EVIDENCE_REQUIRED E_NO_NEW_EVIDENCE E_OPINION_NOT_EVIDENCE E_NOT_SELECTED E_ANSWER_SHAPE E_DISAGREEMENT_SHAPE E_UNRESOLVED_DISAGREEMENT E_CITATION E_UNWEIGHED_ANSWER E_OPPOSITION_UNANSWERED E_PLAN_REQUIRED E_REVIEW_DEBT E_LOCAL_REVIEW_REQUIRED E_VALIDATION_PLAN_REQUIRED E_SUPERSEDE_REFUSED E_RECEIPT_CONTRADICTS E_WAIVER_REFUSED E_REDACTION_FAILED E_CHECK_FINDINGS",
    ],
    [
      "conflict",
      2,
      409,
      "E_ALREADY_RESOLVED E_ALREADY_ASKED E_ALREADY_ANSWERED E_DISPATCH_OPEN E_DISPATCH_CLOSED E_ATTEMPTS_EXHAUSTED E_CONCLUSION_STANDS E_TASK_OPEN E_CONSULT_RUNNING",
    ],
    ["policy", 2, 403, "E_DISPATCH_REQUIRED E_LOCAL_ONLY E_UNSAFE_PATH"],
    ["store", 5, 503, "E_STORE_LOCKED STORE_ERROR"],
  ];
  test.for(rows)("RS-121: %s errors end with %i and answer %i", ([category, exit, status, codes]) => {
    for (const code of codes.split(" ") as ErrorCode[]) {
      const error = fail(code, { message: "m", cause: "c", remediation: "r" }).toObject();
      expect([code, catalogue[code].category, error.exit_code, statusOf(error)]).toEqual([
        code,
        category,
        exit,
        status,
      ]);
      const again = code === "E_CONSULT_RUNNING" || code === "E_STORE_LOCKED";
      expect([code, error.retryable]).toEqual([code, again]);
    }
  });
  test("RS-121: a refusal names what it is about, and the command that comes next", () => {
    const { bodies, refusalOf } = story();
    const draft = new Made();
    const assessment = "assessment_1";
    const refused = [
      ...bodies.map(([, , body]) => refusalOf(body("nobody_1"))),
      refusalOf(draft.add("assessment", { subject: "" }).body),
      refusalOf(draft.add("assessment", { affects: ["security"] }).body),
      refusalOf(draft.add("assessment", { materiality: "high" }).body),
      refusalOf(draft.add("conclusion", { assessment }).body),
      refusalOf(draft.add("disagreement", { assessment }).body),
      refusalOf(draft.add("resolution", { disagreement: "disagreement_5" }).body),
      refusalOf(draft.add("validation", { conclusion: "conclusion_6", exit_code: 1 }).body),
      refusalOf(draft.add("waiver", {}).body),
      refusalOf(draft.add("waiver", { consultation: "consultation_4" }).body),
      refusalOf(draft.add("dispatch", { plan: "plan_2", advisor: "beta" }).body),
    ];
    for (const kind of ["xyzzy", "consultation"]) {
      try {
        parseBody({ kind });
      } catch (error) {
        if (error instanceof WritError) refused.push(error);
      }
    }
    expect(refused.length).toBe(bodies.length + 12);
    for (const error of refused) {
      expect(Object.keys(error?.failure.details ?? {}).length, error?.code).toBeGreaterThan(0);
      expect(error?.failure.remediation, error?.code).toMatch(/\bwrit [a-z]/);
    }
  });
});
