import { normalize } from "node:path/posix";
import { type Context, fail } from "../../contract/index.ts";
import { inspectTarget, quote } from "../../platform/index.ts";
import { conflictFolder, theirsPath } from "../changeset/conflict-files.ts";
import { type Conflict, waysOut } from "../changeset/ways-out.ts";
import { hashOf, look } from "../swap/disk.ts";
import type { PlannedFile } from "../changeset/file-changeset.ts";
import { lockFile } from "../declare/file-names.ts";
import { manifestFile } from "../declare/file-names.ts";
import { type Observed, observeChangeset } from "../run/observe-changeset.ts";
import { parsePath, isInside } from "../declare/paths.ts";
import { assetsAt, recordedSource, sourceOf, type FileSource } from "./file-sources.ts";
import { isPromotable, ruleOf, type FileRule } from "./file-rule.ts";
import { notFound } from "./not-found.ts";
import { decide } from "../compose/threeway.ts";

/** Why a file is as it is. */
export interface FileExplained {
  path: string;
  kind: string;
  state: string;
  rule: FileRule;
  winner: FileSource | null;
  losers: FileSource[];
  hashes: { base: string | null; local: string | null; new: string | null };
  conflict?: { reason: string; theirs_path: string };
  derived_from?: string;
  promotable: boolean;
  next: string[];
  reason?: string;
}

/** Explains one file of the workspace: where it comes from, what it hides, and whether it was edited. */
export async function explainFile(ctx: Context, name: string): Promise<FileExplained> {
  const path = pathOf(name);
  const seen = await observeChangeset(ctx, { command: "writ explain" });
  const behind = behindLink(seen, path);
  const file =
    planned(seen, behind) ??
    (await recorded(seen, behind)) ??
    (await cloned(seen, behind)) ??
    (await own(seen, behind));
  if (!file) throw notFound("file", path, { known: knownPaths(seen), list: "writ status" });
  const { failure } = seen;
  // A declaration that was never composed has no changeset either, and then there is nothing to miss.
  return failure && seen.inputs.lock
    ? { ...file, reason: `What the next run would compose is not known: ${failure.failure.message}` }
    : file;
}

function pathOf(name: string): string {
  const { value, fault } = parsePath(name);
  if (value !== undefined) return value;
  throw fail("E_UNSAFE_PATH", {
    message: `${JSON.stringify(name.slice(0, 200))} is not a path of the workspace.`,
    cause: `${fault.message}.`,
    remediation: "Name a file relative to the workspace's root: writ explain .agents/INDEX.md",
    details: { ...fault.facts },
  });
}

/** A path behind one of Writ's links is the file that the link leads to. */
function behindLink({ changeset }: Observed, path: string): string {
  const link = changeset?.files.find(
    (file) => file.output?.content.kind === "link" && path.startsWith(`${file.path}/`),
  );
  const content = link?.output?.content;
  if (!link || content?.kind !== "link") return path;
  return normalize(`${link.path}/../${content.target}${path.slice(link.path.length)}`);
}

function planned(seen: Observed, path: string): FileExplained | undefined {
  const { changeset } = seen;
  if (!changeset) return undefined;
  if (changeset.compose.linked.includes(path)) return linked(path);
  const file = changeset.files.find((one) => one.path === path);
  if (!file) return undefined;
  const { asset, hidden } = assetsAt(changeset, path);
  const origin = asset?.origin ?? file.output?.origin;
  const winner = origin ? sourceOf(origin, seen) : file.recorded ? recordedSource(file.recorded, seen) : null;
  const stack = winner?.stack;
  const rule = ruleOf({
    path,
    kind: file.kind,
    canonical: changeset.context.canonical,
    hides: hidden.length > 0,
    ...(stack !== undefined && { stack }),
  });
  const facts = { path, kind: file.kind, state: file.state };
  return {
    ...facts,
    rule,
    winner: rule === "index" ? null : winner,
    losers: hidden.map((one) => sourceOf(one.origin, seen)),
    hashes: { base: file.base, local: file.local, new: file.next },
    ...(file.state === "conflict" && { conflict: conflictOf(file) }),
    ...derivedFrom(file),
    promotable: isPromotable({
      ...facts,
      local: isLocalStack(seen, stack),
      ...(stack !== undefined && { stack }),
    }),
    next: nextOf(path, file.state, file.unmerged),
  };
}

function conflictOf(file: PlannedFile): { reason: string; theirs_path: string } {
  return { reason: file.reason ?? "both_changed", theirs_path: theirsPath(file.path) };
}

function derivedFrom({ kind, output }: PlannedFile): { derived_from?: string } {
  if (kind !== "derived" || !output?.origin) return {};
  return { derived_from: `.agents/${output.origin.source.replace(/^.*?(?=rules\/)/, "")}` };
}

function isLocalStack({ inputs }: Observed, stack: string | undefined): boolean {
  return inputs.lock?.stacks.find(({ id }) => id === stack)?.repo.startsWith("path:") === true;
}

function linked(path: string): FileExplained {
  return plain(path, { kind: "link", state: "linked", rule: "link", local: null });
}

/** From the last composition alone: what the layers hold now cannot be read. */
async function recorded(seen: Observed, path: string): Promise<FileExplained | undefined> {
  if (seen.changeset) return undefined;
  const { applied } = seen.inputs.applied;
  const region = applied?.regions.find((one) => one.path === path);
  if (region) {
    const rule = path === applied?.context?.canonical ? "context" : "mirror";
    return plain(path, { kind: "context", state: "unknown", rule, local: await localHash(seen, path) });
  }
  const file = applied?.files.find((one) => one.path === path);
  if (!file) return undefined;
  const local = await localHash(seen, path);
  const { state } = decide({ base: file.sha256, local, next: file.sha256 });
  const winner = recordedSource(file, seen);
  const stack = file.stack === undefined ? {} : { stack: file.stack };
  return {
    ...plain(path, {
      kind: file.kind,
      state,
      rule: ruleOf({ path, kind: file.kind, hides: false, ...stack }),
      local,
    }),
    winner,
    hashes: { base: file.sha256, local, new: null },
    promotable: isPromotable({
      path,
      kind: file.kind,
      state,
      local: isLocalStack(seen, file.stack),
      ...stack,
    }),
    next: nextOf(path, state),
  };
}

// A repository may hold files of any size, and their hash helps nobody.
const hashedAtMost = 64 * 1024 * 1024;

/** The hash of what stands there, looked at without following a link; null when there is nothing. */
async function localHash({ root }: Observed, path: string): Promise<string | null> {
  const target = await inspectTarget(root, path);
  if (target.kind === "file" && target.stats.size > hashedAtMost) return null;
  return target.kind === "file" || target.kind === "link" ? hashOf(await look(root, path)) : null;
}

/** Whether a file or a link stands there; a link above it is refused, since what is behind it is not the workspace's. */
async function isThere({ root }: Observed, path: string): Promise<boolean> {
  const { kind } = await inspectTarget(root, path);
  return kind === "file" || kind === "link";
}

async function cloned(seen: Observed, path: string): Promise<FileExplained | undefined> {
  const repos = seen.changeset?.declared ?? seen.inputs.lock?.repos ?? [];
  const repo = repos.find((one) => path === one.path || isInside(path, one.path));
  if (!repo) return undefined;
  const { kind } = await inspectTarget(seen.root, path);
  const isClone = path === repo.path && kind === "folder";
  if (!isClone && kind !== "file" && kind !== "link") return undefined;
  const file = plain(path, {
    kind: "clone",
    state: "user",
    rule: "clone",
    local: await localHash(seen, path),
  });
  return { ...file, next: [`writ explain repo:${quote(repo.path)}`] };
}

async function own(seen: Observed, path: string): Promise<FileExplained | undefined> {
  // Writ's own state is nobody's content.
  if (isInside(path, ".writ") || !(await isThere(seen, path))) return undefined;
  const local = await localHash(seen, path);
  if (path === lockFile) {
    return {
      ...plain(path, { kind: "lock", state: "clean", rule: "derived", local }),
      derived_from: manifestFile,
    };
  }
  const shown = /^(.+)\.(?:theirs|base)$/.exec(
    path.startsWith(`${conflictFolder}/`) ? path.slice(conflictFolder.length + 1) : "",
  );
  if (shown?.[1] !== undefined) {
    const file = plain(path, { kind: "derived", state: "clean", rule: "derived", local });
    return { ...file, derived_from: shown[1], next: [`writ explain ${quote(shown[1])}`] };
  }
  const promotable = isPromotable({ path, kind: "user", state: "user", local: false });
  const file = plain(path, { kind: "user", state: "user", rule: "user", local });
  return { ...file, promotable, next: [] };
}

function plain(
  path: string,
  facts: { kind: string; state: string; rule: FileRule; local: string | null },
): FileExplained {
  const { local, ...rest } = facts;
  return {
    path,
    ...rest,
    winner: null,
    losers: [],
    hashes: { base: null, local, new: null },
    promotable: false,
    next: [],
  };
}

/** The commands that a reader of this state would look at next. */
function nextOf(path: string, state: string, unmerged?: Conflict["unmerged"]): string[] {
  if (state === "conflict") return waysOut("writ bootstrap", [{ path, unmerged }]);
  if (state === "edited" || state === "orphan_edited") return [`writ diff ${quote(path)} --local --patch`];
  return ["new", "missing", "outdated", "stale", "adopted", "converged"].includes(state)
    ? ["writ bootstrap"]
    : [];
}

function knownPaths({ changeset, inputs }: Observed): Set<string> {
  const recordedFiles = inputs.applied.applied?.files ?? [];
  return new Set(
    [...(changeset?.files ?? []), ...recordedFiles, ...(inputs.lock?.repos ?? [])].map(({ path }) => path),
  );
}
