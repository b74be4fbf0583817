import { type Context, fail } from "../../contract/index.ts";
import type { NetworkKind, Scope } from "../model.ts";
import { defaultKinds, kinds } from "../networks/kinds.ts";
import { checkWeights, defaults, leastWeight, type NetworkSpec, readNetworkSpec } from "../networks/spec.ts";
import { parseThesaurus, type Thesaurus } from "../networks/thesaurus.ts";
import type { BuildInput } from "./input.ts";

const specBytes = 1024 * 1024;
const thesaurusBytes = 64 * 1024 * 1024;

/** What a build is to make, read and checked before anything is opened. */
export interface BuildRequest {
  scope: Scope;
  includeRejected: boolean;
  specs: readonly NetworkSpec[];
  /** Whether nobody named the networks: then co-citation is left out where no citer is known. */
  isDefault: boolean;
  thesaurus: { file: string; read: Thesaurus } | "off" | "active";
  noLimits: boolean;
}

// What a spec file says of each network, or a flag says of all.
const ofNetworks = [
  "networks",
  "min_weight",
  "counting",
  "normalise",
  "resolution",
  "seed",
  "starts",
  "hub_cap",
  "max_pairs",
] as const;

const flagOf = (name: string): string => `--${name.replaceAll("_", "-")}`;

/** Throws E_CONFLICTING_INPUT, E_INVALID_VALUE, E_UNKNOWN_FIELD, E_INVALID_SPEC, E_THESAURUS, E_LIMIT. */
export async function readRequest(ctx: Context, given: BuildInput): Promise<BuildRequest> {
  checkFlags(given);
  const { scope, include_rejected: includeRejected, networks } = given;
  const specs =
    given.spec === undefined
      ? flagSpecs(given)
      : readNetworkSpec(await (await ctx.open(given.spec)).text(specBytes), given.spec, {
          scope,
          includeRejected,
        });
  return {
    scope,
    includeRejected,
    specs,
    isDefault: given.spec === undefined && networks === undefined,
    thesaurus: await thesaurusOf(ctx, given),
    noLimits: !given.limits,
  };
}

async function thesaurusOf(ctx: Context, given: BuildInput): Promise<BuildRequest["thesaurus"]> {
  const file = given.thesaurus;
  if (file === undefined) return given.no_thesaurus ? "off" : "active";
  return { file, read: parseThesaurus(await (await ctx.open(file)).text(thesaurusBytes), file) };
}

function checkFlags(given: BuildInput): void {
  const beside = given.spec === undefined ? undefined : ofNetworks.find((name) => given[name] !== undefined);
  if (beside !== undefined) throw conflict("--spec", flagOf(beside), "The file says it of each network.");
  if (given.thesaurus !== undefined && given.no_thesaurus)
    throw conflict(
      "--thesaurus",
      "--no-thesaurus",
      "One puts a thesaurus in force, the other takes it away.",
    );
  const positive = ["min_weight", "resolution", "starts", "hub_cap", "max_pairs", "max_citing"] as const;
  const bad = positive.find((name) => given[name] !== undefined && given[name] <= 0);
  if (bad) throw outOfRange(flagOf(bad), given[bad]);
  if (given.seed !== undefined && given.seed < 0) throw outOfRange("--seed", given.seed);
}

function flagSpecs(given: BuildInput): NetworkSpec[] {
  const named = given.networks === undefined ? defaultKinds : [...new Set(given.networks)];
  return named.map((kind) => {
    const spec = flagSpec(kind, given);
    checkWeights(spec, "one build");
    return spec;
  });
}

function flagSpec(kind: NetworkKind, given: BuildInput): NetworkSpec {
  const counting = given.counting ?? defaults.counting;
  return {
    ...defaults,
    name: kind,
    kind,
    scope: given.scope,
    includeRejected: given.include_rejected,
    keywords: [],
    counting,
    minWeight: given.min_weight ?? leastWeight(counting),
    normalisation: kinds[kind].directed ? "none" : (given.normalise ?? defaults.normalisation),
    resolution: given.resolution ?? defaults.resolution,
    seed: given.seed ?? defaults.seed,
    starts: given.starts ?? defaults.starts,
    ...(given.max_pairs !== undefined && { maxPairs: given.max_pairs }),
    ...(given.hub_cap !== undefined && { hubCap: given.hub_cap }),
  };
}

function conflict(a: string, b: string, cause: string) {
  return fail("E_CONFLICTING_INPUT", {
    message: `${a} and ${b} exclude each other.`,
    cause,
    remediation: `Leave ${b} out. What a file may say: writ schema research-network`,
    details: { inputs: [a, b] },
  });
}

function outOfRange(flag: string, value: unknown) {
  return fail("E_INVALID_VALUE", {
    message: `${flag} ${String(value)} makes no sense.`,
    cause: `${flag} is ${flag === "--seed" ? "0 or more" : "more than 0"}.`,
    remediation: "writ research build --help",
    details: { flag, value, allowed: flag === "--seed" ? ">= 0" : "> 0" },
  });
}
