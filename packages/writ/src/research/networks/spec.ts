import { z } from "zod";
import { fail, nearest } from "../../contract/index.ts";
import { readYaml } from "../../platform/index.ts";
import { type NetworkKind, networkKinds, type Scope } from "../model.ts";
import { kinds } from "./kinds.ts";
import { type Counting, countings } from "./pairs.ts";
import { fractionalNormalisations, type Normalisation, normalisations } from "./weights.ts";

/** One network as it is to be built; every value is known. */
export interface NetworkSpec {
  name: string;
  kind: NetworkKind;
  scope: Scope;
  includeRejected: boolean;
  minWeight: number;
  minYear?: number;
  maxYear?: number;
  keywords: readonly string[];
  counting: Counting;
  normalisation: Normalisation;
  clustering: "louvain" | "none";
  resolution: number;
  seed: number;
  starts: number;
  /** A column of papers; only where nodes are papers. */
  attribute?: AssortativityAttribute;
  hubCap?: number;
  /** Absent where nobody named it: then one paper may not make most of a network either. */
  maxPairs?: number;
}

/** What papers can be told apart by, and the column that says it. */
export const assortativityAttributes = {
  language: "language",
  type: "type",
  year: "year",
  venue: "source",
  publisher: "publisher",
  is_seed: "is_seed",
  curation_status: "curation_status",
} as const;
export type AssortativityAttribute = keyof typeof assortativityAttributes;

/** Whole weights begin at 1; fractions have no least one. */
export const leastWeight = (counting: Counting): number => (counting === "full" ? 1 : 0);

export const defaults = {
  counting: "full",
  normalisation: "none",
  clustering: "louvain",
  resolution: 1,
  seed: 1,
  starts: 10,
} as const;

const scopes = ["all", "accepted", "seeds", "full", "seeds_only"] as const;
const count = z.int().min(1);
const attributes = Object.keys(assortativityAttributes) as AssortativityAttribute[];

const entry = z.strictObject({
  kind: z.enum(networkKinds).describe("What is linked by what."),
  name: z
    .string()
    .regex(/^[a-z0-9_-]{1,64}$/)
    .describe("The folder's name; the kind without one.")
    .optional(),
  scope: z.enum(scopes).optional(),
  min_weight: z.number().positive().describe("Of the counted weight; 1, or none for fractions.").optional(),
  min_year: z.int().optional(),
  max_year: z.int().optional(),
  keyword_filter: z.array(z.string()).max(1000).default([]),
  counting: z.enum(countings).default(defaults.counting),
  normalisation: z.enum(normalisations).default(defaults.normalisation),
  clustering: z.enum(["louvain", "none"]).default(defaults.clustering),
  resolution: z.number().positive().default(defaults.resolution),
  seed: z.int().min(0).default(defaults.seed),
  starts: count.max(1000).default(defaults.starts),
  assortativity_attribute: z.enum(attributes as [AssortativityAttribute]).optional(),
  hub_cap: count.optional(),
  max_pairs: count.describe("More pairs than these are not made; 200 million.").optional(),
});

/** The document `build --spec` reads. */
const networkDocument = z.strictObject({ networks: z.array(entry).min(1).max(1000) });

/** Its JSON Schema. */
export function networkSchema(): Record<string, unknown> {
  return z.toJSONSchema(networkDocument, { io: "input" });
}

/**
 * Reads a spec file. `scope` and `includeRejected` are those of the command, for entries without a scope.
 * Throws E_UNKNOWN_FIELD, E_INVALID_SPEC with file, index from 0 and field.
 */
export function readNetworkSpec(
  text: string,
  file: string,
  command: { scope: Scope; includeRejected: boolean },
): NetworkSpec[] {
  const { value, problems } = readYaml(text);
  const problem = problems[0];
  if (problem) throw invalid({ file, message: `line ${problem.line}: ${problem.message}` });
  const checked = networkDocument.safeParse(value);
  if (!checked.success) {
    // A mistyped name is the cause of the name that is missing.
    const { issues } = checked.error;
    throw refused(file, issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0], value);
  }
  const specs = checked.data.networks.map(({ kind, name = kind, ...rest }): NetworkSpec => {
    const {
      min_year: minYear,
      max_year: maxYear,
      hub_cap: hubCap,
      max_pairs: maxPairs,
      assortativity_attribute: attribute,
    } = rest;
    return {
      name,
      kind,
      scope: scopeOf(rest.scope) ?? command.scope,
      includeRejected: command.includeRejected,
      minWeight: rest.min_weight ?? leastWeight(rest.counting),
      keywords: rest.keyword_filter,
      counting: rest.counting,
      normalisation: kinds[kind].directed ? "none" : rest.normalisation,
      clustering: rest.clustering,
      resolution: rest.resolution,
      seed: rest.seed,
      starts: rest.starts,
      ...(minYear !== undefined && { minYear }),
      ...(maxYear !== undefined && { maxYear }),
      ...(hubCap !== undefined && { hubCap }),
      ...(maxPairs !== undefined && { maxPairs }),
      ...(attribute !== undefined && { attribute }),
    };
  });
  checkTogether(file, specs);
  return specs;
}

function scopeOf(word: (typeof scopes)[number] | undefined): Scope | undefined {
  if (word === "full") return "all";
  return word === "seeds_only" ? "seeds" : word;
}

function checkTogether(file: string, specs: readonly NetworkSpec[]): void {
  specs.forEach((spec, index) => {
    if (specs.findIndex(({ name }) => name === spec.name) !== index)
      throw invalid({ file, index, field: "name", message: `a second network is called "${spec.name}"` });
    if (spec.attribute !== undefined && kinds[spec.kind].node !== "paper")
      throw invalid({
        file,
        index,
        field: "assortativity_attribute",
        message: `the nodes of ${spec.kind} are no papers`,
      });
    checkWeights(spec, `networks[${index}] of ${file}`);
  });
}

/** Throws E_CONFLICTING_INPUT where fractions are to be normalised by numbers of items. */
export function checkWeights({ counting, normalisation }: NetworkSpec, where: string): void {
  if (counting === "full" || fractionalNormalisations.includes(normalisation)) return;
  throw fail("E_CONFLICTING_INPUT", {
    message: `In ${where} fractional counting and the normalisation "${normalisation}" exclude each other.`,
    cause: `"${normalisation}" compares a weight with numbers of items, which fractions are not.`,
    remediation: "writ research build --counting fractional --normalise vos",
    details: { inputs: ["counting=fractional", `normalisation=${normalisation}`] },
  });
}

interface Place {
  file: string;
  index?: number;
  field?: string;
  message: string;
}

function invalid({ file, index, field, message }: Place) {
  const where = [index !== undefined && `networks[${index}]`, field].filter(Boolean).join(".");
  return fail("E_INVALID_SPEC", {
    message: `${file} is no description of networks: ${where ? `${where}: ` : ""}${message}.`,
    cause: `${where || file} does not hold what networks are described by.`,
    remediation: "writ schema research-network",
    details: { file, ...(index !== undefined && { index }), ...(field !== undefined && { field }) },
  });
}

function refused(file: string, issue: z.core.$ZodIssue | undefined, document: unknown) {
  const [top, at, name] = issue?.path ?? [];
  const index = top === "networks" && typeof at === "number" ? at : undefined;
  const place = { file, ...(index !== undefined && { index }) };
  if (issue?.code === "unrecognized_keys") {
    const known = index === undefined ? Object.keys(networkDocument.shape) : Object.keys(entry.shape);
    return unknown(place, issue.keys[0] ?? "", known);
  }
  const field = name ?? (index === undefined ? top : undefined);
  const given = name === undefined ? undefined : entryOf(document, index)?.[String(name)];
  const hint =
    issue?.code === "invalid_value" && typeof given === "string" ? nearestOf(given, issue.values) : "";
  return invalid({
    ...place,
    ...(field !== undefined && { field: String(field) }),
    message: `${issue?.message ?? "not understood"}${hint}`,
  });
}

function entryOf(document: unknown, index: number | undefined): Record<string, unknown> | undefined {
  const { networks } = (document ?? {}) as { networks?: unknown };
  if (!Array.isArray(networks) || index === undefined) return undefined;
  return networks[index] as Record<string, unknown> | undefined;
}

function nearestOf(given: string, values: readonly unknown[]): string {
  const near = nearest(
    given,
    values.filter((value) => typeof value === "string"),
  );
  return near === undefined ? "" : ` (did you mean "${near}"?)`;
}

function unknown(place: { file: string; index?: number }, field: string, known: readonly string[]) {
  const near = nearest(field, known);
  return fail("E_UNKNOWN_FIELD", {
    message: `${place.file}${place.index === undefined ? "" : `, networks[${place.index}]`} has an unknown field "${field}"${near === undefined ? "" : `; did you mean "${near}"?`}`,
    cause: `Networks are described by ${known.join(", ")}.`,
    remediation: "writ schema research-network",
    details: { ...place, field, ...(near !== undefined && { nearest: near }), allowed: known },
  });
}
