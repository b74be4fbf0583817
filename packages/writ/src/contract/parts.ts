import type { z } from "zod";
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

/** What a part puts into a workspace that is being made from a built-in template. */
export interface Beginning {
  /** What init says of it, under the part's name. */
  data: Record<string, unknown>;
  /** Commands to go on with: `path` names a file of the workspace from where the caller stands, `flag` the workspace. */
  next?(at: { path: (name: string) => string; flag: string }): string[];
  /** Makes it below a folder that is about to become a workspace; a failure takes the whole folder away. */
  make(ctx: Context, folder: string): Promise<void>;
}

/** A guide: Markdown for a person or their agent. */
export interface Topic {
  name: string;
  title: string;
  text: string;
}

/** A resource that is what a capability answers, for MCP clients that read and call nothing. */
export interface AnsweredResource {
  /** `writ://reasoning` */
  uri: string;
  description: string;
  /** One that observes and needs no input; read with the rights of the caller. */
  capability: string;
}

/** A usual way through several commands, for the manual. */
export interface Workflow {
  title: string;
  /** Complete command lines, in order. */
  steps: string[];
}

/** The blocks of workspace.yml that belong to other parts than the one that reads the file. */
export const slotNames = ["agents", "brokers", "research", "reasoning", "profiles"] as const;
export type SlotName = (typeof slotNames)[number];

/** How to come by the schema of each block that has an owner. */
export type Slots = Partial<Record<SlotName, () => Promise<z.ZodType>>>;

/**
 * A block of this call's workspace.yml, as its owner's schema reads it; undefined outside a workspace and where the
 * file has no such block. Throws E_INVALID_MANIFEST, and what else a workspace.yml with problems throws.
 */
export type ReadBlock = <S extends z.ZodType>(
  ctx: Context,
  name: SlotName,
  schema: S,
) => Promise<z.output<S> | undefined>;

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
  /** What a new workspace begins with, by the name of its built-in template. */
  beginnings?: Readonly<Record<string, () => Promise<Beginning>>>;
  /** Document kind -> its JSON Schema (draft 2020-12); read at build time. `slots` are those of all parts. */
  schemas?: (slots: Slots) => Promise<Record<string, Record<string, unknown>>>;
  /**
   * The blocks of workspace.yml that this part owns, each with how its zod schema is loaded:
   *
   *     slots: { reasoning: async () => (await import("./model/settings.ts")).ReasoningSettings },
   *
   * The schema is loaded only where a file has the block. It is a strict object, a record or a list; its faults are
   * reported with their lines among all others of the file, keys that begin `x-` are taken out of its objects
   * before, and `writ schema workspace` shows it. It says nothing of anything outside its block. The part reads its
   * own block with `ctx.registered.block(ctx, "reasoning", ReasoningSettings)`, at any time and at little cost.
   */
  slots?: Slots;
  /** Reads a block of workspace.yml for its owner; only the part that reads the file has it. */
  blocks?: () => Promise<ReadBlock>;
  topics?: () => Promise<Topic[]>;
  resources?: readonly AnsweredResource[];
  /** Read at build time. */
  workflows?: () => Promise<Workflow[]>;
}

/** Everything the parts registered, collected by the composition root. */
export interface Registered {
  /** The version of Writ that runs. */
  version: string;
  fileStores(): Promise<FileStore[]>;
  references(): Promise<ReferenceKind[]>;
  checks(): Promise<Checks[]>;
  statusBlocks(): Promise<StatusBlock[]>;
  /** What parts put into a workspace of a built-in template, with the name of each part. */
  beginnings(template: string): Promise<(Beginning & { part: string })[]>;
  topics(): Promise<Topic[]>;
  resources: readonly AnsweredResource[];
  /** How to come by the schemas of the blocks of workspace.yml; nothing is loaded by asking. */
  slots: Slots;
  block: ReadBlock;
  /** Document kind -> JSON Schema, as generated at build time. */
  schemas(): Promise<Record<string, Record<string, unknown>>>;
  /** The document behind --agent-manifest, as generated at build time. */
  manual(): Promise<Record<string, unknown>>;
}
