import { describe, expect, test } from "vitest";
import { adapterFacts } from "../../packages/writ/src/reasoning/advisors/table.ts";
import {
  type Presence,
  type Situation,
  statesOf,
} from "../../packages/writ/src/reasoning/availability/availability.ts";
import { situationOf } from "../../packages/writ/src/reasoning/availability/situation.ts";
import { mergeTables } from "../../packages/writ/src/reasoning/catalogue/merge.ts";
import { AdvisorState } from "../../packages/writ/src/reasoning/model/plan.ts";
import { AdvisorsFile, ClientsFile, ModelsFile } from "../../packages/writ/src/reasoning/model/tables.ts";
import type { Room } from "../../packages/writ/src/reasoning/settings/room.ts";
import type { Facts, IndexLine } from "../../packages/writ/src/reasoning/store/facts.ts";
import { RecordIndex } from "../../packages/writ/src/reasoning/store/record-index.ts";
import { alphaEntry, bedThree, betaEntry, gammaEntry, says } from "./bed.ts";

const t0 = Date.parse("2026-11-30T12:00:00.000Z");

const shipped = {
  advisors: AdvisorsFile.parse({
    version: 1,
    capabilities: ["independent_reasoning", "code_review", "security_review"].map((id) => ({
      id,
      description: id,
    })),
    advisors: [{ ...alphaEntry, provider: "editor" }, { ...betaEntry, model: "b1" }, gammaEntry],
  }),
  clients: ClientsFile.parse({ version: 1, providers: [{ id: "editor", title: "Editor", vendor: "v1" }] }),
  models: ModelsFile.parse({
    version: 1,
    vendors: [
      { id: "v1", title: "V1" },
      { id: "v2", title: "V2", credential_env: "BETA_KEY" },
      { id: "v3", title: "V3", inference: "local" },
    ],
    models: [{ id: "b1", vendor: "v2", native_id: "b-1", maker: "lab" }],
  }),
};
const catalogue = mergeTables({ shipped, own: {} });

const everybody = (): Map<string, Presence> =>
  new Map([
    ["alpha", { credentialSet: false, executableFound: true }],
    ["beta", { credentialSet: true, executableFound: false, address: "https://b.test:8443/v1?team=red" }],
    ["gamma", { credentialSet: false, executableFound: true }],
  ]);
const situation = (more: Partial<Situation> = {}): Situation => ({
  catalogue,
  adapters: adapterFacts,
  presence: everybody(),
  mode: "standard",
  denied: [],
  confidential: false,
  withholds: false,
  history: new Map(),
  probesHeld: new Set(),
  ceilings: [],
  briefBytes: 4096,
  now: t0,
  ...more,
});
const failures = (...seconds: number[]) =>
  new Map([
    ["alpha", seconds.map((at) => ({ id: `c${at}`, at: t0 + at * 1000, outcome: "timeout" as const }))],
  ]);

test("RS-35: availability follows from its arguments alone, each time anew", () => {
  const before = JSON.stringify(statesOf(situation()));
  const changes: [Partial<Situation>, id: string, reason: string][] = [
    [{ presence: new Map() }, "alpha", "executable_not_found"],
    [{ adapters: {} }, "alpha", "adapter_missing"],
    [{ mode: "ci" }, "alpha", "mode_ci"],
    [{ mode: "unknown" }, "alpha", "mode_unknown"],
    [{ denied: ["beta"] }, "beta", "disabled_by_configuration"],
    [{ confidential: true }, "beta", "confidential"],
    [{ withholds: true }, "alpha", "cannot_withhold"],
    [{ history: failures(-10, -5) }, "alpha", "consecutive_failures"],
    [{ history: failures(-10, -5), cooldownSeconds: 0 }, "alpha", "present"],
    [{ history: failures(-10, -5), now: t0 + 600_000 }, "alpha", "present"],
    [
      { history: failures(-10, -5), now: t0 + 600_000, probesHeld: new Set(["alpha"]) },
      "alpha",
      "probe_in_flight",
    ],
    [{ ceilings: [{ window: "tokens_per_day", used: 999, limit: 1000 }] }, "beta", "ceiling_reached"],
  ];
  for (const [change, id, reason] of changes) {
    const given = situation(change);
    const states = statesOf(given);
    expect([id, states.find((one) => one.id === id)?.reason]).toEqual([id, reason]);
    expect(JSON.stringify(statesOf(given))).toBe(JSON.stringify(states));
    // What was seen before leaves no trace.
    expect(JSON.stringify(statesOf(situation()))).toBe(before);
  }
});

test("RS-39: a state says who it is, how it was found and since when it is held, and of an address only where it is", () => {
  const [alpha, beta, gamma] = statesOf(situation({ history: failures(-40, -20) }));
  expect(alpha).toEqual({
    id: "alpha",
    title: "Alpha",
    transport: "cli",
    adapter: "stdio",
    capabilities: ["independent_reasoning", "code_review"],
    provider: "editor",
    vendor: "v1",
    source: "v1",
    remote: true,
    sealed: false,
    executable: "alpha",
    status: "temporarily_failed",
    reason: "consecutive_failures",
    probe: "program alpha is on PATH",
    recovering: false,
    circuit: { class: "transient", opened_by: "c-20", failures: 2, until: "2026-11-30T12:09:40.000Z" },
  });
  expect(beta).toEqual({
    id: "beta",
    title: "Beta",
    transport: "api",
    adapter: "openai-chat",
    capabilities: ["independent_reasoning", "security_review"],
    vendor: "v2",
    model: "b-1",
    source: "lab",
    remote: true,
    sealed: true,
    credential: "BETA_KEY",
    address: "https://b.test:8443",
    status: "available",
    reason: "present",
    probe: "BETA_KEY is set",
    recovering: false,
  });
  expect(gamma).toMatchObject({ remote: false, sealed: true, source: "v3", status: "available" });
  // Nothing else is in a state, on any surface.
  for (const state of [alpha, beta, gamma]) expect(AdvisorState.parse(state)).toEqual(state);
  expect(statesOf(situation({ history: failures(-900, -800) }))[0]).toMatchObject({
    status: "available",
    recovering: true,
  });
  expect(statesOf(situation({ history: failures(-900, -800) }))[0]?.circuit).toBeUndefined();
});

describe("one probe", () => {
  let seq = 0;
  const line = (kind: IndexLine["kind"], seconds: number, facts: Facts): IndexLine => ({
    seq: ++seq,
    id: `${kind}_${seq}`,
    task: "untasked",
    kind,
    at: new Date(t0 + seconds * 1000).toISOString(),
    root: "assessment_1",
    digest: "0",
    act: "a",
    capability: "c",
    facts,
  });
  const failed = (seconds: number) =>
    line("consultation", seconds, { dispatch: "d", plan: "other", advisor: "alpha", status: "timeout" });
  /** Why alpha may not be asked at a moment, when this is on record beside two failures long ago. */
  const reasonAt = (seconds: number, lines: IndexLine[], of: { plan?: string } = {}) => {
    const room = {
      ctx: { clock: { now: () => t0 + seconds * 1000 } },
      tables: { catalogue },
      presence: everybody(),
      mode: { mode: "standard", source: "default" },
      faults: [],
      denied: [],
      settings: { withhold: [], limits: {} },
      task: "untasked",
    } as unknown as Room;
    const index = RecordIndex.of([failed(-2000), failed(-1990), ...lines]);
    return statesOf(situationOf(room, index, of)).find(({ id }) => id === "alpha")?.reason;
  };
  const plan = () => line("plan", 0, { outcome: "consult", selected: ["alpha"] });
  const dispatch = (of: IndexLine, at: number, deadline: number) =>
    line("dispatch", at, {
      plan: of.id,
      advisor: "alpha",
      deadline_at: new Date(t0 + deadline * 1000).toISOString(),
    });

  test("RS-42: a plan that asks nobody gives its probe back after ten minutes", () => {
    const held = plan();
    expect([reasonAt(1, []), reasonAt(599, [held]), reasonAt(600, [held])]).toEqual([
      "present",
      "probe_in_flight",
      "present",
    ]);
    expect(reasonAt(1, [held], { plan: held.id })).toBe("present");
  });
  test("RS-42: an exchange holds it until a minute after its deadline, or its end", () => {
    const held = plan();
    const asked = dispatch(held, 500, 590);
    expect([reasonAt(649, [held, asked]), reasonAt(650, [held, asked])]).toEqual([
      "probe_in_flight",
      "present",
    ]);
    const ended = line("consultation", 510, {
      dispatch: asked.id,
      plan: held.id,
      advisor: "alpha",
      status: "malformed",
    });
    expect(reasonAt(511, [held, asked, ended])).toBe("present");
  });
  test("RS-42: a waiver gives it back", () => {
    const held = plan();
    const waived = line("waiver", 5, { plan: held.id, advisor: "alpha" });
    expect([reasonAt(6, [held]), reasonAt(6, [held, waived])]).toEqual(["probe_in_flight", "present"]);
  });

  test("RS-42: of two plans at once one has it, and a preview takes none", async () => {
    await using bed = await bedThree();
    bed.alpha.does("exit 1");
    const failing = await bed.assess("failing", "material");
    await bed.ok("reasoning.consult", { assessment: failing });
    await bed.ok("reasoning.consult", { assessment: failing });
    bed.alpha.does(`echo '${says("supports")}'`);
    bed.clock.seconds = 700;
    interface Plan {
      selected: { advisor: string }[];
    }
    const first = ({ selected }: Plan) => selected[0]?.advisor;
    const preview = () => bed.ok<Plan>("reasoning.plan", { materiality: "material" });
    expect([first(await preview()), first(await preview())]).toEqual(["alpha", "alpha"]);
    const twoOf = [await bed.assess("x", "material"), await bed.assess("y", "material")];
    const plans = await Promise.all(
      twoOf.map((assessment) =>
        bed.ok<{ record: { body: { plan: Plan } } }>("reasoning.record", {
          record: { kind: "plan", assessment },
        }),
      ),
    );
    expect(new Set(plans.map(({ record }) => first(record.body.plan)))).toEqual(new Set(["alpha", "beta"]));
    expect(first(await preview())).toBe("beta");
  });
});
