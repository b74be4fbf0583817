import type { Context } from "./context.ts";
import type { FileStore } from "./stores.ts";

/** What a reference resolves to. */
export type Resolved = Record<string, unknown>;

/** One kind of reference (`stack:`, `file:` …) and how its owner resolves a name. */
export interface ReferenceKind {
  kind: string;
  /** Throws E_NOT_FOUND with the nearest known name. */
  resolve(ctx: Context, name: string): Promise<Resolved>;
}

/** One finding of `doctor`. */
export interface Check {
  id: string;
  status: "ok" | "info" | "warn" | "fail" | "skipped";
  message: string;
  remediation?: string;
  fixable: boolean;
  fixed: boolean;
}

/** Checks a part adds to `doctor`, under its own prefix. */
export interface Checks {
  /** The ids, so that `--check` can refuse an unknown one without running any. */
  ids: readonly string[];
  /** With `offline` no check asks another machine. */
  run(ctx: Context, options: { only?: string; fix: boolean; offline?: boolean }): Promise<Check[]>;
}

/** A block a part adds to `status` under its own name. */
export interface StatusBlock {
  name: string;
  read(ctx: Context): Promise<Record<string, unknown> | undefined>;
}

/** A guide: Markdown for a person or their agent. */
export interface Topic {
  name: string;
  title: string;
  text: string;
}

/** A usual way through several commands, for the manual. */
export interface Workflow {
  title: string;
  /** Complete command lines, in order. */
  steps: string[];
}

/**
 * What a part of Writ contributes besides its capabilities, which are found by their place in the tree
 * (`src/<module>/capabilities/`). The composition root collects the parts; no part imports another.
 * Everything is loaded lazily: a part costs nothing until it is asked.
 */
export interface Part {
  name: string;
  fileStores?: () => Promise<FileStore[]>;
  references?: () => Promise<ReferenceKind[]>;
  checks?: () => Promise<Checks>;
  status?: () => Promise<StatusBlock>;
  /** Document kind -> its JSON Schema (draft 2020-12); read at build time. */
  schemas?: () => Promise<Record<string, Record<string, unknown>>>;
  topics?: () => Promise<Topic[]>;
  /** Read at build time. */
  workflows?: () => Promise<Workflow[]>;
}

/** Everything the parts registered, collected by the composition root. */
export interface Registered {
  fileStores(): Promise<FileStore[]>;
  references(): Promise<ReferenceKind[]>;
  checks(): Promise<Checks[]>;
  statusBlocks(): Promise<StatusBlock[]>;
  topics(): Promise<Topic[]>;
  /** Document kind -> JSON Schema, as generated at build time. */
  schemas(): Promise<Record<string, Record<string, unknown>>>;
  /** The document behind --agent-manifest, as generated at build time. */
  manual(): Promise<Record<string, unknown>>;
}
