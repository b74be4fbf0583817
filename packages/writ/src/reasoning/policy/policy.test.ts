import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AdvisorState } from "../model/plan.ts";
import { confidences, materialities, modes } from "../model/words.ts";
import { type PolicyRequest, planOf } from "./policy.ts";

const state = (
  id: string,
  source = id,
  {
    capabilities = ["independent_reasoning"],
    reason = "present",
  }: { capabilities?: string[]; reason?: string } = {},
): AdvisorState => ({
  id,
  title: id,
  transport: "local_runtime",
  adapter: "x",
  capabilities,
  source,
  remote: false,
  sealed: true,
  status: reason === "present" ? "available" : "not_configured",
  reason,
  probe: "",
  recovering: false,
});
const ask = (more: Partial<PolicyRequest>) =>
  planOf({
    materiality: "material",
    confidence: "medium",
    capabilities: [],
    confidential: false,
    mode: "standard",
    mode_source: "default",
    states: [],
    ...more,
  });
const five = ["a", "b", "c", "d", "e"].map((id) => state(id));
const chosen = (plan: ReturnType<typeof ask>) => plan.selected.map(({ advisor }) => advisor);

describe("how many are asked", () => {
  test.for([
    ["ci", [0, 0, 0, 0, 0]],
    ["fast", [0, 0, 0, 1, 1]],
    ["standard", [0, 0, 1, 2, 2]],
    ["offline", [0, 0, 1, 2, 2]],
    ["strict", [0, 0, 1, 2, 3]],
  ] as const)("RS-46: in mode %s (RC-01)", ([mode, numbers]) => {
    const found = materialities.map(
      (materiality) => ask({ mode, materiality, states: five }).selected.length,
    );
    expect(found).toEqual(numbers);
  });
  test("RS-46: a session that is sure needs one view less (RC-02)", () => {
    const strict = confidences.map((confidence) =>
      ask({ mode: "strict", materiality: "critical", confidence, states: five }),
    );
    expect(strict.map((plan) => plan.selected.length)).toEqual([3, 3, 2]);
    const sure = ask({ confidence: "high", states: five });
    expect(sure).toMatchObject({ outcome: "decide_locally", reason_code: "no_budget", budget: 0 });
    expect(sure.local_review).toHaveLength(5);
    expect(sure.reason).toMatch(/mode standard.*confidence high/);
    expect(ask({ materiality: "low", confidence: "high", states: five }).budget).toBe(0);
  });
});

describe("who is asked", () => {
  const a = state("a", "x", { capabilities: ["independent_reasoning", "architecture_review"] });
  const a2 = state("a2", "x", { capabilities: ["independent_reasoning", "architecture_review"] });
  const b = state("b", "y", { capabilities: ["code_review", "independent_reasoning"] });
  const capabilities = ["independent_reasoning", "code_review"];
  test("RS-48: what is covered counts before independence, and independence before the order (RC-06)", () => {
    const plan = ask({ materiality: "high", capabilities, states: [a, a2, b] });
    expect(chosen(plan)).toEqual(["b", "a"]);
    expect(plan.selected[0]).toMatchObject({ why: "covers_more", covers_count: 2 });
    expect(plan.excluded).toEqual([
      { advisor: "a2", status: "available", reason: "present", code: "budget_spent" },
    ]);
    expect(plan.uncovered).toEqual([]);
  });
  test("RS-48: one source twice is a lower score and no exclusion (RC-07)", () => {
    expect(chosen(ask({ materiality: "high", capabilities, states: [a, a2] }))).toEqual(["a", "a2"]);
  });
  test("RS-48, RS-32: who shares the executor's source stands behind", () => {
    expect(chosen(ask({ states: [a, b], executor_source: "x" }))).toEqual(["b"]);
  });
  test("RS-48: who is absent and who fits not are named in the order of the states (RC-08)", () => {
    const absent = state("p", "p", { reason: "credential_absent" });
    const other = state("q", "q", { capabilities: ["code_review"] });
    const plan = ask({ states: [absent, other, state("r")] });
    expect(chosen(plan)).toEqual(["r"]);
    expect(plan.excluded).toMatchObject([
      { advisor: "p", status: "not_configured", reason: "credential_absent", code: "credential_absent" },
      { advisor: "q", code: "offers_none", capabilities: ["independent_reasoning"] },
    ]);
  });
  test("RS-48: a budget of nothing was not spent on others (RC-12)", () => {
    const plan = ask({ mode: "fast", states: five });
    expect(new Set(plan.excluded.map(({ code }) => code))).toEqual(new Set(["budget_zero"]));
  });
  test("RS-49: what nobody covers says why", () => {
    const states = [
      state("a"),
      state("b", "b", { capabilities: ["code_review"] }),
      state("c", "c", { capabilities: ["test_review"], reason: "credential_absent" }),
    ];
    const wanted = ["independent_reasoning", "code_review", "test_review", "security_review"];
    expect(ask({ capabilities: wanted, states }).uncovered).toEqual([
      { capability: "code_review", cause: "budget" },
      { capability: "test_review", cause: "unavailable" },
      { capability: "security_review", cause: "nobody" },
    ]);
  });
});

describe("without anybody", () => {
  test("RS-5, RS-47: nobody there is an ordinary plan with the five steps (RC-03)", () => {
    const plan = ask({ materiality: "critical" });
    expect(plan).toMatchObject({
      outcome: "decide_locally",
      reason_code: "nobody_available",
      budget: 2,
      available: 0,
    });
    expect(plan.local_review.map(({ step }) => step)).toEqual([
      "rivals",
      "assumptions",
      "falsifier",
      "experiment",
      "record",
    ]);
  });
  test("RS-47: what is not material asks for no ceremony (RC-04)", () => {
    expect(ask({ materiality: "low", states: five })).toMatchObject({
      outcome: "decide_locally",
      reason_code: "not_material",
      budget: 0,
      selected: [],
      local_review: [],
    });
  });
  test("RS-47: a standing conclusion is taken over in every mode (RC-47)", () => {
    const reuse = { candidate: "conclusion_1", accepted: true, causes: [] };
    for (const mode of modes) {
      const plan = ask({ mode, materiality: "critical", states: five, reuse });
      expect(plan).toMatchObject({
        outcome: "reuse_prior",
        reason_code: "standing_conclusion",
        budget: 0,
        selected: [],
      });
      expect(plan.excluded.map(({ code }) => code)).toEqual(Array(5).fill("standing_conclusion"));
    }
    const refused = ask({
      states: five,
      reuse: { candidate: "conclusion_1", accepted: false, causes: ["expired"] },
    });
    expect(refused.reason).toContain("conclusion_1 is not taken over: expired");
  });
});

const anyState = fc
  .tuple(
    fc.constantFrom("s", "t", "u"),
    fc.subarray(["independent_reasoning", "code_review", "test_review"]),
    fc.boolean(),
  )
  .map(([source, capabilities, there]) => ({ source, capabilities, there }));
const anyRequest = fc.record({
  mode: fc.constantFrom(...modes),
  materiality: fc.constantFrom(...materialities),
  confidence: fc.constantFrom(...confidences),
  capabilities: fc.subarray(["independent_reasoning", "code_review", "test_review"]),
  states: fc
    .array(anyState, { maxLength: 8 })
    .map((many) =>
      many.map((one, i) =>
        state(`a${i}`, one.source, { capabilities: one.capabilities, reason: one.there ? "present" : "x" }),
      ),
    ),
});

test("RS-13, RS-123: the same request gives the same bytes, never above budget nor outside who is there (RC-09)", () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      const plan = ask(request);
      expect(JSON.stringify(ask(structuredClone(request)))).toBe(JSON.stringify(plan));
      expect(plan.selected.length).toBeLessThanOrEqual(plan.budget);
      const there = request.states.filter(({ status }) => status === "available").map(({ id }) => id);
      for (const { advisor } of plan.selected) expect(there).toContain(advisor);
      expect(plan.selected.length + plan.excluded.length).toBe(request.states.length);
    }),
  );
});

test("RS-123: more at stake never asks fewer", () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      const numbers = materialities.map((materiality) => ask({ ...request, materiality }).selected.length);
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    }),
  );
});
