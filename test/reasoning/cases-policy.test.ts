import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { advisorProgram } from "../fakes/advisor-programs.ts";
import { alphaEntry, advisorsYml, bedNone, bedThree, betaEntry, gammaEntry, says } from "./bed.ts";

interface PlanData {
  outcome: string;
  reason_code: string;
  budget: number;
  available: number;
  selected: { advisor: string }[];
  excluded: { advisor: string; status: string; reason: string; code: string }[];
  local_review: unknown[];
}
interface AdvisorsData {
  available: number;
  mode: { mode: string; source: string };
  advisors: {
    id: string;
    status: string;
    reason: string;
    recovering: boolean;
    detail?: string;
    circuit?: { failures: number; opened_by: string; until: string };
  }[];
  diagnostics: { subject: string; message: string }[];
}

const names = (plan: PlanData) => plan.selected.map(({ advisor }) => advisor);

test("RS-5: with nobody at all everything works and says so (RC-03)", async () => {
  await using bed = bedNone();
  const plan = await bed.ok<PlanData>("reasoning.plan", { materiality: "critical" });
  expect(plan).toMatchObject({
    outcome: "decide_locally",
    reason_code: "nobody_available",
    budget: 2,
    available: 0,
  });
  expect(plan.local_review).toHaveLength(5);
  for (const surface of ["cli", "http", "mcp"] as const) {
    const answer = await bed.call("reasoning.plan", { materiality: "critical" }, { surface });
    expect([answer.exit_code, answer.error]).toEqual([0, null]);
  }
});

test("RS-19: who is asked first is the order of the table (RC-05)", async () => {
  await using bed = await bedThree();
  const first = await bed.ok<PlanData>("reasoning.plan", { materiality: "material" });
  expect(names(first)).toEqual(["alpha"]);
  expect(first.excluded.map(({ code }) => code)).toEqual(["budget_spent", "budget_spent"]);
  bed.write("advisors.yml", advisorsYml([betaEntry, alphaEntry, gammaEntry]));
  expect(names(await bed.ok("reasoning.plan", { materiality: "material" }))).toEqual(["beta"]);
});

test("RS-51: a preview refuses what it does not know, and stores nothing (RC-10)", async () => {
  await using bed = await bedThree();
  const refused = await bed.call("reasoning.plan", { capabilities: ["mind_reading"] });
  expect([refused.error?.code, refused.exit_code]).toEqual(["E_UNKNOWN_CAPABILITY", 1]);
  expect(await bed.refused("reasoning.plan", { quorum: 2 })).toBe("USAGE_ERROR");
  await bed.ok("reasoning.plan", { materiality: "high" });
  expect(existsSync(join(bed.root, ".writ/reasoning"))).toBe(false);
});

test("RS-116: strengths may be split at commas", async () => {
  await using bed = await bedThree();
  const plan = (...capabilities: string[]) =>
    bed.ok<PlanData>("reasoning.plan", { materiality: "high", capabilities });
  expect(await plan("independent_reasoning, code_review")).toEqual(
    await plan("independent_reasoning", "code_review"),
  );
});

test("RS-44: a misspelt strength is named with the vocabulary, and nothing is written (RC-11)", async () => {
  await using bed = await bedThree();
  const body = { kind: "assessment", subject: "x", materiality: "high", capabilities: ["code_reveiw"] };
  const { error } = await bed.call("reasoning.record", { record: body });
  expect(error?.code).toBe("E_UNKNOWN_CAPABILITY");
  expect(`${error?.message} ${error?.cause}`).toMatch(/code_reveiw.*code_review/s);
  expect(
    (await bed.ok<{ state: { totals: { records: number } } }>("reasoning.status")).state.totals.records,
  ).toBe(0);
});

test("RS-28: in CI nobody is asked, and every exclusion says so (RC-12)", async () => {
  await using bed = await bedThree({ env: { CI: "true" } });
  const plan = await bed.ok<PlanData>("reasoning.plan", { materiality: "critical" });
  expect(plan.excluded.map(({ reason }) => reason)).toEqual(["mode_ci", "mode_ci", "mode_ci"]);
});

describe("mode and availability", () => {
  const reasons = async (env: Record<string, string>, more: { manifest?: string } = {}) => {
    await using bed = await bedThree({ env, ...more });
    const { advisors } = await bed.ok<AdvisorsData>("reasoning.advisors");
    return Object.fromEntries(advisors.map(({ id, reason }) => [id, reason]));
  };
  test("RS-36: offline only what runs on this machine is asked (RC-14)", async () => {
    await using bed = await bedThree({ env: { WRIT_REASONING_MODE: "offline" } });
    const plan = await bed.ok<PlanData>("reasoning.plan", { materiality: "high" });
    expect(names(plan)).toEqual(["gamma"]);
    expect(plan.budget).toBe(2);
    expect(plan.excluded.map(({ status, reason }) => `${status} ${reason}`)).toEqual([
      "disabled mode_offline",
      "disabled mode_offline",
    ]);
  });
  test("RS-36: a local runtime elsewhere, or one that passes its model on, is not this machine (RC-14)", async () => {
    const elsewhere = { WRIT_REASONING_MODE: "offline", GAMMA_HOST: "http://192.168.1.5:11434" };
    expect((await reasons(elsewhere)).gamma).toBe("address_not_local");
    await using bed = bedNone({
      advisors: [{ ...gammaEntry, model_env: "GAMMA_MODEL" }],
      env: { WRIT_REASONING_MODE: "offline", GAMMA_HOST: "localhost", GAMMA_MODEL: "gpt-oss:120b-cloud" },
    });
    const { advisors } = await bed.ok<AdvisorsData>("reasoning.advisors");
    expect(advisors[0]?.reason).toBe("model_not_local");
  });
  test("RS-38: the first reason that applies is told (RC-15)", async () => {
    expect((await reasons({ CI: "1", WRIT_ADVISORS_DISABLE: "alpha", PATH: "" })).alpha).toBe("mode_ci");
    const offline = await reasons({ WRIT_REASONING_MODE: "offline", WRIT_ADVISORS_DISABLE: "beta" });
    expect(offline.beta).toBe("mode_offline");
    expect((await reasons({ WRIT_ADVISORS_DISABLE: "alpha", PATH: "" })).alpha).toBe(
      "disabled_by_configuration",
    );
    expect(new Set(Object.values(await reasons({ WRIT_ADVISORS_DISABLE: "all" })))).toEqual(
      new Set(["disabled_by_configuration"]),
    );
    expect(
      (
        await reasons(
          {},
          { manifest: 'name: demo\nschema: writ/1\nreasoning: { withhold: ["private/**"] }\n' },
        )
      ).alpha,
    ).toBe("cannot_withhold");
  });
  test("RS-31: a denied id that nobody has is refused with the nearest (RC-15)", async () => {
    await using bed = await bedThree({ env: { WRIT_ADVISORS_DISABLE: "alhpa" } });
    const { error } = await bed.call("reasoning.plan", { materiality: "high" });
    expect(error?.code).toBe("E_INVALID_SETTING");
    expect(`${error?.message} ${error?.cause}`).toContain("alpha");
    const seen = await bed.call("reasoning.advisors");
    expect(seen.warnings.map(({ code }) => code)).toContain("W_INVALID_SETTING");
  });
  test("RS-37: presence is a set variable or a program on PATH, and nothing is run to find out (RC-16)", async () => {
    await using bed = await bedThree();
    const of = async (id: string) =>
      (await bed.ok<AdvisorsData>("reasoning.advisors")).advisors.find((one) => one.id === id);
    expect((await of("alpha"))?.status).toBe("available");
    bed.env.BETA_KEY = "";
    expect(await of("beta")).toMatchObject({ status: "not_configured", reason: "credential_absent" });
    delete bed.env.BETA_KEY;
    expect(await of("beta")).toMatchObject({ status: "not_configured", reason: "credential_absent" });
    bed.alpha.remove();
    expect(await of("alpha")).toMatchObject({ status: "unavailable", reason: "executable_not_found" });
    // Only in a folder of the workspace that is on PATH: it could be anybody's.
    bed.write("bin/.keep", "");
    advisorProgram(join(bed.root, "bin"), "alpha");
    bed.env.PATH = `${join(bed.root, "bin")}:relative:${bed.bin}`;
    expect((await of("alpha"))?.reason).toBe("executable_not_found");
    const other = join(bed.bin, "second");
    mkdirSync(other);
    advisorProgram(other, "alpha");
    bed.env.PATH = `${bed.bin}:${other}`;
    expect((await of("alpha"))?.status).toBe("available");
    expect(bed.alpha.wasRun()).toBe(false);
    expect(bed.beta.requests).toEqual([]);
  });
  test("RS-23, RS-24: a program with a slash is never found, a key nobody names is a finding (RC-16)", async () => {
    await using bed = bedNone({
      advisors: [
        { ...alphaEntry, executable: "./alpha" },
        { ...betaEntry, vendor: "v3" },
        { ...betaEntry, id: "far", base_url: "https://attacker.example" },
        { ...alphaEntry, id: "static", transport: "peer" },
      ],
      env: { BETA_KEY: "k" },
    });
    advisorProgram(bed.bin, "alpha");
    const data = await bed.ok<AdvisorsData>("reasoning.advisors");
    expect(data.advisors.map(({ reason }) => reason)).toEqual([
      "executable_not_found",
      "credential_undeclared",
      "address_absent",
      "peer_declared_statically",
    ]);
    const said = data.diagnostics.map(({ subject, message }) => `${subject} ${message}`).join("\n");
    expect(said).toMatch(/alpha names an executable with a slash/);
    expect(said).toMatch(/far gives base_url/);
    expect(said).toMatch(/static declares a peer/);
  });
  test("RS-29, RS-34: the profile of the open task decides, and the workspace may add its own (RC-13)", async () => {
    await using bed = await bedThree({
      manifest:
        "name: demo\nschema: writ/1\nreasoning:\n  mode: fast\nprofiles:\n  quiet:\n    reasoning: 'offline' # customer data\n",
    });
    const mode = async () => (await bed.ok<AdvisorsData>("reasoning.advisors")).mode;
    expect(await mode()).toEqual({ mode: "fast", source: "workspace" });
    await bed.ok("task.start", { id: "t", profile: "deep-work" });
    expect(await mode()).toEqual({ mode: "strict", source: "profile deep-work" });
    await bed.ok("task.close");
    await bed.ok("task.start", { id: "u", profile: "quiet" });
    expect(await mode()).toEqual({ mode: "offline", source: "profile quiet" });
    bed.env.CI = "true";
    expect(await mode()).toEqual({ mode: "ci", source: "CI" });
  });
  test("RS-34: a profile without a mode is refused and found (RC-26)", async () => {
    await using bed = bedNone({ manifest: "name: demo\nschema: writ/1\nprofiles:\n  odd: { other: 1 }\n" });
    expect(await bed.refused("reasoning.plan", { materiality: "high" })).toBe("E_INVALID_SETTING");
    const { error, data } = await bed.call("reasoning.check");
    expect(error?.code).toBe("E_CHECK_FINDINGS");
    expect((data.findings as { check: string }[]).map(({ check }) => check)).toEqual(["settings"]);
  });
  test("RS-31: a malformed limit stops asking only, and is a problem of workspace.yml at its line", async () => {
    const limits = "reasoning:\n  mode: fast\n  limits:\n    tokens_per_task: many\n";
    await using bed = bedNone({ manifest: `name: demo\nschema: writ/1\n${limits}` });
    const { error } = await bed.call("reasoning.plan", { materiality: "high" });
    expect([error?.code, error?.details?.setting]).toEqual([
      "E_INVALID_SETTING",
      "reasoning.limits.tokens_per_task",
    ]);
    for (const capability of ["reasoning.advisors", "reasoning.status"]) {
      const { ok, warnings } = await bed.call(capability);
      expect([ok, ...warnings.map(({ code }) => code)]).toEqual([true, "W_INVALID_SETTING"]);
    }
    await bed.record({ kind: "attempt", attempt: "a", observed_failure: "f" });
    const composed = await bed.call("workspace.bootstrap", {}, { dryRun: true });
    expect(composed.error).toMatchObject({
      code: "E_INVALID_MANIFEST",
      details: { problems: [{ pointer: "/reasoning/limits/tokens_per_task", line: 6, kind: "type" }] },
    });
  });
  test.for(['"reas\\u006fning": {mode: offline}', "? reasoning # ours\n: {mode: offline}"])(
    "RS-29: the mode of workspace.yml counts however its key is written: %j",
    async (text) => {
      await using bed = bedNone({ manifest: `name: demo\nschema: writ/1\n${text}\n` });
      const { mode } = await bed.ok<AdvisorsData>("reasoning.advisors");
      expect(mode).toEqual({ mode: "offline", source: "workspace" });
    },
  );
  test("RS-30: an unknown mode of workspace.yml is no fault of the file, and asks nobody", async () => {
    await using bed = bedNone({ manifest: "name: demo\nschema: writ/1\nreasoning: {mode: stric}\n" });
    const { error } = await bed.call("reasoning.plan", { materiality: "high" });
    expect([error?.code, error?.details?.source]).toEqual(["E_UNKNOWN_MODE", "workspace"]);
    const status = await bed.call("workspace.status");
    expect(status.data.reasoning).toMatchObject({ mode: "unknown", mode_source: "workspace" });
    expect(status.warnings.map(({ code }) => code)).toContain("W_UNKNOWN_MODE");
  });
  test("RS-30: an unknown mode shuts everybody out and is named with the nearest word", async () => {
    await using bed = await bedThree({ env: { WRIT_REASONING_MODE: "stric" } });
    const { error } = await bed.call("reasoning.plan", { materiality: "high" });
    expect([error?.code, error?.details?.nearest]).toEqual(["E_UNKNOWN_MODE", "strict"]);
    const { advisors } = await bed.ok<AdvisorsData>("reasoning.advisors");
    expect(new Set(advisors.map(({ reason }) => reason))).toEqual(new Set(["mode_unknown"]));
    const status = await bed.ok<{ reasoning: { mode: string } }>("workspace.status");
    expect(status.reasoning.mode).toBe("unknown");
  });
});

describe("circuits", () => {
  test("RS-40: the second timeout opens, the time closes, a failed probe opens for longer (RC-18, RC-20)", async () => {
    await using bed = await bedThree();
    bed.alpha.does("/bin/sleep 30");
    const alpha = async () =>
      (await bed.ok<AdvisorsData>("reasoning.advisors")).advisors.find(({ id }) => id === "alpha");
    const timeOut = async (subject: string) => {
      const a = await bed.assess(subject, "material");
      const { results } = await bed.ok<{ results: { status: string; consultation: string }[] }>(
        "reasoning.consult",
        {
          assessment: a,
          timeout: 0.1,
        },
      );
      expect(results[0]?.status).toBe("timeout");
      return results[0]?.consultation;
    };
    await timeOut("one");
    expect(await alpha()).toMatchObject({ status: "available", recovering: false });
    const second = await timeOut("two");
    expect(await alpha()).toMatchObject({
      status: "temporarily_failed",
      reason: "consecutive_failures",
      circuit: { failures: 2, opened_by: second, until: "2026-11-30T12:10:00.000Z" },
    });
    bed.clock.seconds = 600;
    expect(await alpha()).toMatchObject({ status: "available", recovering: true });
    // One probe at a time: who plans second is told.
    const [x, y] = [await bed.assess("three", "material"), await bed.assess("four", "material")];
    await Promise.all([bed.plan(x), bed.plan(y)]);
    const { state } = await bed.ok<{ state: { timeline: { phase: string; summary: string }[] } }>(
      "reasoning.status",
    );
    const plans = state.timeline
      .filter(({ phase }) => phase === "consulting")
      .map(({ summary }) => summary.split(":")[0]);
    expect(new Set(plans.slice(-2))).toEqual(new Set(["alpha", "beta"]));
    bed.clock.seconds = 1300;
    await timeOut("five");
    expect((await alpha())?.circuit).toMatchObject({ failures: 3, until: "2026-11-30T12:41:40.000Z" });
  });
  test("RS-27: the setting replaces every hold, a malformed one is refused, a reset lifts one advisor's (RC-24)", async () => {
    await using bed = await bedThree();
    bed.beta.says({ reply: { status: 401, body: {} } });
    const a = await bed.assess("x", "material", { capabilities: ["security_review"] });
    await bed.ok("reasoning.consult", { assessment: a });
    const beta = async () =>
      (await bed.ok<AdvisorsData>("reasoning.advisors")).advisors.find(({ id }) => id === "beta");
    expect(await beta()).toMatchObject({ reason: "authentication_failed" });
    bed.env.WRIT_REASONING_COOLDOWN_SECONDS = "0";
    expect(await beta()).toMatchObject({ status: "available" });
    for (const wrong of ["-5", "soon", "90000"]) {
      bed.env.WRIT_REASONING_COOLDOWN_SECONDS = wrong;
      expect(await bed.refused("reasoning.plan", { materiality: "high" })).toBe("E_INVALID_SETTING");
    }
    bed.env.WRIT_REASONING_COOLDOWN_SECONDS = "";
    expect(await beta()).toMatchObject({ reason: "authentication_failed" });
    expect(await bed.refusedRecord({ kind: "circuit_reset", advisor: "nobody", reason: "r" })).toBe(
      "E_NOT_FOUND",
    );
    await bed.record({ kind: "circuit_reset", advisor: "beta", reason: "the key is right now" });
    expect(await beta()).toMatchObject({ status: "available", recovering: false });
  });
  test("RS-87: a wait without bound is a day (RC-25)", async () => {
    await using bed = await bedThree();
    for (const wait of ["9000000000000000000", "18446744073709551615", String(30 * 86_400)]) {
      bed.beta.says({ reply: { status: 429, headers: { "retry-after": wait }, body: {} } });
      const a = await bed.assess(`x ${wait}`, "material", { capabilities: ["security_review"] });
      const answer = await bed.call("reasoning.consult", { assessment: a });
      expect(answer.warnings.map(({ code }) => code)).toContain("W_RETRY_AFTER_CAPPED");
      const id = (answer.data.results as { consultation: string }[])[0]?.consultation ?? "";
      const { record } = await bed.ok<{ record: { body: Record<string, unknown> } }>("reasoning.explain", {
        id,
      });
      expect(record.body).toMatchObject({ retry_after_seconds: 86_400, retry_after_capped: true });
      await bed.record({ kind: "circuit_reset", advisor: "beta", reason: wait });
    }
  });
});

test("RS-43: a ceiling stops an exchange before it, and counts what was reported (RC-66)", async () => {
  await using bed = await bedThree({
    manifest: "name: demo\nschema: writ/1\nreasoning: { limits: { tokens_per_task: 20000 } }\n",
  });
  await bed.ok("task.start", { id: "one" });
  bed.beta.says({
    reply: {
      body: {
        model: "b-1",
        choices: [{ message: { content: says("supports") } }],
        usage: { prompt_tokens: 19_800, completion_tokens: 100 },
      },
    },
  });
  const a = await bed.assess("x", "material", { capabilities: ["security_review"] });
  await bed.ok("reasoning.consult", { assessment: a });
  const { advisors } = await bed.ok<AdvisorsData>("reasoning.advisors");
  expect(advisors.map(({ status, reason }) => `${status} ${reason}`)).toEqual([
    "disabled ceiling_reached",
    "disabled ceiling_reached",
    "available present",
  ]);
  expect(advisors[0]?.detail).toContain("used 19900");
  await bed.ok("task.close");
  await bed.ok("task.start", { id: "two" });
  const next = await bed.ok<AdvisorsData>("reasoning.advisors");
  expect(next.available).toBe(3);
});

test("RS-7: a key's value is in no output and no file, and nobody is contacted but by asking (RC-17, RC-23)", async () => {
  const canary = "canary-5f1c9e";
  await using bed = await bedThree({ env: { BETA_KEY: canary } });
  await bed.ok("task.start", { id: "t" });
  await bed.assess("x", "high");
  const seen: string[] = [];
  for (const capability of [
    "reasoning.advisors",
    "reasoning.plan",
    "reasoning.status",
    "reasoning.check",
    "workspace.doctor",
    "workspace.status",
    "task.status",
    "task.list",
    "task.close",
  ]) {
    seen.push(
      JSON.stringify(await bed.call(capability, capability === "workspace.doctor" ? { offline: true } : {})),
    );
  }
  for (const entry of readdirSync(bed.root, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) seen.push(readFileSync(join(entry.parentPath, entry.name), "latin1"));
  }
  expect(seen.join("\n")).not.toContain(canary);
  expect(bed.alpha.wasRun()).toBe(false);
  expect([bed.beta.requests, bed.gamma.requests]).toEqual([[], []]);
});

test("RS-97: one more entry is everywhere at once, and removed it is gone everywhere (RC-70)", async () => {
  await using bed = await bedThree();
  const delta = { ...gammaEntry, id: "delta", title: "Delta", capabilities: ["test_review"] };
  bed.write("advisors.yml", advisorsYml([alphaEntry, betaEntry, gammaEntry, delta]));
  const seen = async () => [
    (await bed.ok<AdvisorsData>("reasoning.advisors")).advisors.some(({ id }) => id === "delta"),
    names(
      await bed.ok("reasoning.plan", { materiality: "material", capabilities: ["test_review"] }),
    ).includes("delta"),
    JSON.stringify(await bed.ok("workspace.status")).includes("delta"),
  ];
  expect(await seen()).toEqual([true, true, true]);
  const a = await bed.assess("x", "material", { capabilities: ["test_review"] });
  await bed.ok("reasoning.consult", { assessment: a });
  bed.write("advisors.yml", advisorsYml([alphaEntry, betaEntry, gammaEntry]));
  expect(await seen()).toEqual([false, false, false]);
  await bed.ok("reasoning.explain", { id: a });
  const { findings, retired } = await bed.ok<{ findings: unknown[]; retired: string[] }>("reasoning.check");
  expect([findings, retired.length]).toEqual([[], 1]);
});

test("RS-20: without a table of its own a workspace has the shipped one, and a broken one stops asking only (RC-71)", async () => {
  await using bed = await bedThree();
  const a = await bed.assess("x", "material");
  writeFileSync(join(bed.root, "advisors.yml"), "version: 1\nadvisors: [\n");
  for (const [capability, input] of [
    ["reasoning.advisors", {}],
    ["reasoning.plan", {}],
    ["reasoning.consult", { assessment: a }],
  ] as const) {
    const { error } = await bed.call(capability, input);
    expect([error?.code, error?.details?.file]).toEqual(["E_CATALOGUE_INVALID", "advisors.yml"]);
  }
  await bed.ok("reasoning.status");
  await bed.ok("reasoning.explain", { id: a });
  await bed.record({ kind: "attempt", attempt: "a", observed_failure: "f" });
  rmSync(join(bed.root, "advisors.yml"));
  const { advisors } = await bed.ok<AdvisorsData>("reasoning.advisors");
  expect(advisors).toHaveLength(9);
});
