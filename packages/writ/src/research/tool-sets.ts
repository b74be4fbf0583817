/** A group of capabilities that an agent can be granted by name; nothing else of research can be. */
export interface ResearchToolSet {
  /** Capability ids. */
  tools: readonly string[];
  /** The class under which a policy judges its changes; absent where it only reads. */
  class?: string;
  /** The capability that takes back what it changes; absent where there is nothing to take back. */
  undo?: string;
  /** Of whom the words in its answers are: titles, abstracts and names are of strangers. */
  taint: "external";
  /** The most that one call may be given of an input, in its own unit. A call may say less. */
  most?: Readonly<Record<string, number>>;
}

const reading = [
  "research.status",
  "research.validate",
  "research.read.list",
  "research.read.stats",
  "research.read.show",
  "research.read.top",
  "research.curate.duplicates",
] as const;

/**
 * What agents may be granted. To restore a snapshot is in none: it brings in what somebody else has decided.
 */
export const researchToolSets = {
  "research.read": { tools: reading, taint: "external" },
  "research.fetch": {
    tools: [...reading, "research.seed", "research.chain"],
    class: "research.fetch",
    taint: "external",
    undo: "research.curate.undo",
    most: { max_cost_usd: 0.1 },
  },
  "research.curate": {
    tools: [
      ...reading,
      "research.curate.accept",
      "research.curate.reject",
      "research.curate.filter",
      "research.curate.dump",
      "research.curate.apply",
      "research.curate.merge",
      "research.curate.undo",
    ],
    class: "research.decide",
    taint: "external",
    undo: "research.curate.undo",
  },
  "research.build": {
    tools: [...reading, "research.build", "research.export", "research.snapshot.create"],
    class: "research.build",
    taint: "external",
  },
} as const satisfies Readonly<Record<string, ResearchToolSet>>;
