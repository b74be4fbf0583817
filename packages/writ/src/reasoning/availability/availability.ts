import type { Advisor, Catalogue } from "../catalogue/merge.ts";
import type { AdapterFacts } from "../catalogue/findings.ts";
import type { AdvisorState } from "../model/plan.ts";
import type { AvailabilityStatus, Mode } from "../model/words.ts";
import { type Address, isServedElsewhere, readAddress } from "./address.ts";
import { type Circuit, circuitOf, type OutcomeEntry } from "./circuit.ts";
import { type Ceiling, overCeiling } from "./limits.ts";

/** What of one advisor this machine has; found by looking, never by asking. */
export interface Presence {
  credentialSet: boolean;
  /** The values of its address and model variables. */
  address?: string;
  model?: string;
  executableFound: boolean;
}

/** Everything availability is a function of. */
export interface Situation {
  catalogue: Catalogue;
  adapters: AdapterFacts;
  presence: ReadonlyMap<string, Presence>;
  /** `unknown` shuts every advisor out. */
  mode: Mode | "unknown";
  denied: readonly string[];
  confidential: boolean;
  withholds: boolean;
  history: ReadonlyMap<string, readonly OutcomeEntry[]>;
  /** Advisors whose probe another plan holds. */
  probesHeld: ReadonlySet<string>;
  ceilings: readonly Ceiling[];
  briefBytes: number;
  now: number;
  cooldownSeconds?: number;
}

/** The state of every advisor in the order of preference. Pure: the same situation gives the same states. */
export function statesOf(situation: Situation): AdvisorState[] {
  return situation.catalogue.advisors.map((advisor) => stateOf(advisor, situation));
}

/** An advisor as this machine has it: where it is reached, with which model, and whether that leaves the machine. */
export interface Reached {
  advisor: Advisor;
  presence: Presence;
  /** Undefined where none is known; `invalid` where it cannot be read. */
  address?: Address | "invalid";
  model?: string;
  remote: boolean;
  sealed: boolean;
  source: string;
}

const nothing: Presence = { credentialSet: false, executableFound: false };

/** Resolves the address and model of an advisor from its variables, its table and its adapter. */
export function reach(
  advisor: Advisor,
  { adapters, presence }: Pick<Situation, "adapters" | "presence">,
): Reached {
  const found = presence.get(advisor.id) ?? nothing;
  const facts = adapters[advisor.adapter];
  const text = found.address ?? advisor.base_url ?? facts?.default_address;
  const address = text === undefined ? undefined : (readAddress(text, facts?.default_address) ?? "invalid");
  const model = found.model ?? advisor.model?.native_id;
  const here =
    advisor.transport === "local_runtime" &&
    typeof address === "object" &&
    address.loopback &&
    !(model !== undefined && isServedElsewhere(model));
  return {
    advisor,
    presence: found,
    ...(address !== undefined && { address }),
    ...(model !== undefined && { model }),
    remote: !here,
    sealed: facts?.sealed === true && advisor.access === "brief",
    source: advisor.model?.maker ?? advisor.vendor ?? `adapter:${advisor.adapter}`,
  };
}

function stateOf(advisor: Advisor, situation: Situation): AdvisorState {
  const reached = reach(advisor, situation);
  const circuit = circuitOf(situation.history.get(advisor.id) ?? [], situation);
  const verdict = judge(reached, { circuit, situation });
  const { address, model } = reached;
  const { provider, vendor, executable, credential_env } = advisor;
  return {
    id: advisor.id,
    title: advisor.title,
    transport: advisor.transport,
    adapter: advisor.adapter,
    capabilities: advisor.capabilities,
    ...(provider !== undefined && { provider }),
    ...(vendor !== undefined && { vendor }),
    ...(model !== undefined && { model }),
    source: reached.source,
    remote: reached.remote,
    sealed: reached.sealed,
    ...(executable !== undefined && { executable }),
    ...(credential_env !== undefined && { credential: credential_env }),
    ...(typeof address === "object" && { address: address.shown }),
    status: verdict[0],
    reason: verdict[1],
    ...(verdict[2] !== undefined && { detail: verdict[2] }),
    probe: probeOf(reached),
    recovering: circuit.recovering,
    ...(circuit.open && {
      circuit: { ...circuit.open, until: new Date(circuit.open.until).toISOString() },
    }),
  };
}

type Verdict = [status: AvailabilityStatus, reason: string, detail?: string];

/** The first row that applies decides. */
function judge(reached: Reached, of: { circuit: Circuit; situation: Situation }): Verdict {
  const { advisor } = reached;
  const { circuit, situation } = of;
  return (
    shutOut(reached, situation) ??
    absent(reached, situation.adapters) ??
    held(circuit) ??
    (circuit.recovering && situation.probesHeld.has(advisor.id)
      ? (["temporarily_failed", "probe_in_flight"] satisfies Verdict)
      : undefined) ??
    ceiling(reached, situation) ?? ["available", "present"]
  );
}

function shutOut(
  reached: Reached,
  { mode, confidential, denied, withholds }: Situation,
): Verdict | undefined {
  const { advisor, address, remote, sealed, model } = reached;
  if (mode === "unknown") return ["disabled", "mode_unknown"];
  if (mode === "ci") return ["disabled", "mode_ci"];
  if (mode === "offline") {
    if (advisor.transport !== "local_runtime") return ["disabled", "mode_offline"];
    if (typeof address === "object" && !address.loopback) return ["disabled", "address_not_local"];
    if (model !== undefined && isServedElsewhere(model)) return ["disabled", "model_not_local"];
  }
  if (confidential && remote) return ["disabled", "confidential"];
  if (denied.includes("all") || denied.includes(advisor.id) || !advisor.enabled)
    return ["disabled", "disabled_by_configuration"];
  if (withholds && !sealed) return ["disabled", "cannot_withhold"];
  return undefined;
}

function absent({ advisor, presence, address }: Reached, adapters: AdapterFacts): Verdict | undefined {
  const { transport, executable } = advisor;
  if (transport === "peer") return ["unavailable", "peer_declared_statically"];
  if (!Object.hasOwn(adapters, advisor.adapter)) return ["unavailable", "adapter_missing"];
  if (transport === "api" && advisor.credential_env === undefined)
    return ["not_configured", "credential_undeclared"];
  if (transport === "api" && !presence.credentialSet) return ["not_configured", "credential_absent"];
  if (transport !== "cli" && address === undefined) return ["not_configured", "address_absent"];
  if (transport !== "cli" && address === "invalid") return ["not_configured", "address_invalid"];
  const needsProgram =
    transport === "cli" || (transport === "local_runtime" && presence.address === undefined);
  if (needsProgram && executable === undefined) return ["unavailable", "executable_undeclared"];
  if (needsProgram && !presence.executableFound) return ["unavailable", "executable_not_found"];
  return undefined;
}

const heldBy = {
  authentication: ["temporarily_failed", "authentication_failed"],
  quota: ["rate_limited", "quota_exhausted"],
  rate: ["rate_limited", "rate_limited"],
  transient: ["temporarily_failed", "consecutive_failures"],
} as const;

function held({ open }: Circuit): Verdict | undefined {
  return open && [...heldBy[open.class]];
}

function ceiling({ advisor, remote }: Reached, { ceilings, briefBytes }: Situation): Verdict | undefined {
  if (!remote) return undefined;
  const price = advisor.model?.price;
  const over = overCeiling(ceilings, { briefBytes, ...(price && { price }) });
  return over && ["disabled", over.reason, over.detail];
}

function probeOf({ advisor, presence }: Reached): string {
  const program = `program ${advisor.executable ?? "(none declared)"} ${presence.executableFound ? "is" : "is not"} on PATH`;
  switch (advisor.transport) {
    case "api":
      return `${advisor.credential_env ?? "no variable"} ${presence.credentialSet ? "is set" : "is not set"}`;
    case "cli":
      return program;
    case "local_runtime": {
      const set = advisor.base_url_env !== undefined && presence.address !== undefined;
      return set ? `${advisor.base_url_env} is set` : program;
    }
    case "peer":
      return "peers are found, not declared";
  }
}
