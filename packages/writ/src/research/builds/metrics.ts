import type { Coefficient } from "../analysis/assortativity.ts";
import { usualPairs } from "../networks/incidence.ts";
import { kinds } from "../networks/kinds.ts";
import type { Projection } from "../networks/project.ts";
import type { NetworkSpec } from "../networks/spec.ts";
import type { Analysed } from "./analyse.ts";

/** What stands in the metrics beside what was measured. */
export interface Facts {
  corpusHash: string;
  /** "1.0.0". */
  version: string;
}

/** How nodes of one attribute are linked, and how to read it. */
export interface Assortativity {
  attribute: string;
  value: number | null;
  reason?: string;
  /** Nodes without a value; their edges are left out. */
  missing: number;
  note: string;
}

const note = "Mixing in a projected network is a description of it, not a test of anything.";

export function assortativityOf(
  { attribute }: NetworkSpec,
  { measures }: Analysed,
): Assortativity | undefined {
  const mixing = measures.attributeMixing;
  if (attribute === undefined || !mixing) return undefined;
  return {
    attribute,
    value: mixing.value,
    ...(mixing.reason && { reason: mixing.reason }),
    missing: mixing.missing,
    note,
  };
}

/** The content of metrics.json: an undefined value is null, and `reasons` says why. */
export function metricsOf(network: {
  projection: Projection;
  analysed: Analysed;
  facts: Facts;
}): Record<string, unknown> {
  const { projection, analysed, facts } = network;
  const { spec } = projection;
  const { measures } = analysed;
  const { communities, clustering, cores } = measures;
  const assortativity = assortativityOf(spec, analysed);
  return {
    name: spec.name,
    kind: spec.kind,
    scope: spec.scope,
    params: paramsOf(spec),
    corpus_hash: facts.corpusHash,
    papers: projection.papers,
    papers_without_year: projection.withoutYear,
    nodes: projection.nodes,
    edges: projection.edges,
    directed: kinds[spec.kind].directed,
    isolated: projection.isolated,
    weight_total: analysed.weightTotal,
    density: analysed.density,
    num_components: measures.components.count,
    largest_component: measures.components.largest,
    avg_clustering: clustering?.average ?? null,
    transitivity: clustering?.transitivity ?? null,
    communities: communities?.count ?? null,
    modularity: communities?.quality.modularity ?? null,
    quality: communities?.quality ?? null,
    degree_assortativity: measures.degreeMixing.value,
    ...(assortativity && { assortativity }),
    core_max: cores && cores.reduce((most, core) => Math.max(most, core), 0),
    ...(projection.hub && { hub: projection.hub }),
    limited: measures.limited,
    reasons: reasonsOf(spec, measures.degreeMixing, measures.limited),
    built_by: `writ/${facts.version}`,
  };
}

function paramsOf(spec: NetworkSpec): Record<string, unknown> {
  const { name: _, kind: __, scope: ___, ...rest } = spec;
  return {
    include_rejected: rest.includeRejected,
    min_weight: rest.minWeight,
    min_year: rest.minYear ?? null,
    max_year: rest.maxYear ?? null,
    keyword_filter: rest.keywords,
    counting: rest.counting,
    normalisation: rest.normalisation,
    clustering: rest.clustering,
    resolution: rest.resolution,
    seed: rest.seed,
    starts: rest.starts,
    assortativity_attribute: rest.attribute ?? null,
    hub_cap: rest.hubCap ?? null,
    max_pairs: rest.maxPairs ?? usualPairs.most,
  };
}

/** Why a value is null, by its name. */
function reasonsOf(
  spec: NetworkSpec,
  degreeMixing: Coefficient,
  limited: Analysed["measures"]["limited"],
): Record<string, string> {
  const left = new Set(limited.map(({ measure }) => measure));
  const tooLarge = (measure: string, names: readonly string[]): [string, string][] =>
    left.has(measure) ? names.map((name) => [name, "limited"]) : [];
  return Object.fromEntries([
    ...(degreeMixing.reason ? [["degree_assortativity", degreeMixing.reason] as [string, string]] : []),
    ...(spec.clustering === "none"
      ? ["communities", "modularity", "quality"].map((name): [string, string] => [name, "not asked for"])
      : tooLarge("communities", ["communities", "modularity", "quality"])),
    ...tooLarge("clustering", ["avg_clustering"]),
    ...tooLarge("transitivity", ["transitivity"]),
    ...tooLarge("core", ["core_max"]),
  ]);
}
