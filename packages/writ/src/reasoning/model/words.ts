/** The closed words of this module. Every schema, table and rule names them from here. */
export const modes = ["offline", "ci", "fast", "standard", "strict"] as const;
export type Mode = (typeof modes)[number];

/** Ascending: what stands later weighs more. */
export const materialities = ["trivial", "low", "material", "high", "critical"] as const;
export type Materiality = (typeof materialities)[number];

export const confidences = ["low", "medium", "high"] as const;
export type Confidence = (typeof confidences)[number];

/** What a decision touches, and the least materiality that it then has. */
export const affectFloors = {
  naming: "trivial",
  formatting: "trivial",
  local: "trivial",
  correctness: "material",
  interface: "material",
  data: "material",
  concurrency: "material",
  operations: "material",
  architecture: "high",
  security: "high",
  compatibility: "high",
  public_contract: "high",
  persistent_data: "high",
  irreversible: "critical",
  destructive: "critical",
  governance: "critical",
} as const satisfies Record<string, Materiality>;
export type Affect = keyof typeof affectFloors;
export const affects = Object.keys(affectFloors) as [Affect, ...Affect[]];

export const stances = ["supports", "opposes", "alternative", "inconclusive"] as const;
export type Stance = (typeof stances)[number];

export const transports = ["api", "cli", "local_runtime", "peer"] as const;
export type Transport = (typeof transports)[number];

/** How an exchange can end. */
export const exchangeStatuses = [
  "completed",
  "timeout",
  "rate_limited",
  "quota_exhausted",
  "auth_failed",
  "malformed",
  "empty",
  "unavailable",
  "not_configured",
  "cancelled",
  "error",
] as const;
export type ExchangeStatus = (typeof exchangeStatuses)[number];
export type FailureStatus = Exclude<ExchangeStatus, "completed">;

export const availabilityStatuses = [
  "available",
  "unavailable",
  "not_configured",
  "disabled",
  "temporarily_failed",
  "rate_limited",
] as const;
export type AvailabilityStatus = (typeof availabilityStatuses)[number];

export const evidenceKinds = [
  "file",
  "test",
  "adr",
  "rule",
  "commit",
  "command",
  "record",
  "document",
  "runtime",
  "prior_external_opinion",
] as const;

/** What a caller may record, and what only the driver of a consultation records. */
export const callerKinds = [
  "assessment",
  "plan",
  "local_review",
  "disagreement",
  "resolution",
  "conclusion",
  "validation",
  "attempt",
  "waiver",
  "circuit_reset",
] as const;
export const driverKinds = ["dispatch", "consultation"] as const;

/** What a request that names no strength wants. */
export const defaultLens = "independent_reasoning";

/** Whether a materiality is material or above. */
export function isMaterial(materiality: Materiality): boolean {
  return weight(materiality) >= weight("material");
}

/** Its place in the order of materialities. */
export function weight(materiality: Materiality): number {
  return materialities.indexOf(materiality);
}

/** The least materiality of a decision that touches these, and the word that sets it. */
export function floorOf(words: readonly Affect[]): { word: Affect; floor: Materiality } | undefined {
  let highest: { word: Affect; floor: Materiality } | undefined;
  for (const word of words) {
    const floor = affectFloors[word];
    if (!highest || weight(floor) > weight(highest.floor)) highest = { word, floor };
  }
  return highest;
}

/** The form of every id that a table declares. */
export const tableId = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** The form of a task's id and of a profile's name. */
export const taskName = /^[a-z0-9][a-z0-9._-]{0,63}$/;
