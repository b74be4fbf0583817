/** How much of an untrusted document is read. */
export interface YamlLimits {
  maxBytes: number;
  maxDepth: number;
  maxAliases: number;
  maxNodes: number;
}

/** The bounds that hold where nothing else is said. */
export const yamlLimits: YamlLimits = {
  maxBytes: 1024 * 1024,
  maxDepth: 32,
  maxAliases: 100,
  maxNodes: 20_000,
};

/** One thing wrong with a document. */
export interface YamlProblem {
  kind: "syntax" | "duplicate" | "limit";
  /** JSON pointer to the nearest value; "" is the document. */
  pointer: string;
  line: number;
  column: number;
  message: string;
  hint?: string;
  /** Of a limit: the bound, and what was found. */
  limit?: number;
  found?: number;
}

/** A place in the text, both counted from 1. */
export interface Position {
  line: number;
  column: number;
}

/** A problem before its offset has been turned into line and column. */
export interface Finding {
  kind: YamlProblem["kind"];
  offset: number;
  message: string;
  pointer?: string;
  hint?: string;
  limit?: number;
  found?: number;
}

/** Stops the reading of a document at the first breach of a bound: going on is what the bound forbids. */
export class LimitBreach extends Error {
  readonly finding: Finding;
  constructor(finding: Finding) {
    super(finding.message);
    this.finding = finding;
  }
}

/** The breach of one bound, said in one form. */
export function breach(what: string, offset: number, bound: { limit: number; found: number }): LimitBreach {
  const message = `the document has more than ${bound.limit} ${what}`;
  return new LimitBreach({ kind: "limit", offset, message, ...bound });
}
