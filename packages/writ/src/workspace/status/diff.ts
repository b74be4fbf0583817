import { fail, nearest, type Context } from "../../contract/index.ts";
import { pathFromRoot } from "../../platform/index.ts";
import { logBetween, type Logged } from "../sources/cache-read.ts";
import { actionOf, type Draft } from "../swap/drafts.ts";
import { theirsPath } from "../changeset/conflict-files.ts";
import { diffTexts, type Sides } from "./diff-texts.ts";
import type { PlannedFile } from "../changeset/file-changeset.ts";
import { baseReader } from "../changeset/read-base.ts";
import type { Changeset } from "../changeset/changeset.ts";
import type { RunRequest } from "../gather/request.ts";
import { wouldChange } from "../run/carry-out.ts";

export interface DiffRequest {
  run: RunRequest;
  paths: readonly string[];
  /** What the user changed against the base, in place of what a run would change. */
  local: boolean;
  patch: boolean;
}

type Change = {
  path: string;
  action: "create" | "update" | "delete" | "adopt" | "link";
  stack?: string;
  from?: string;
  to?: string;
};

/** What the next run would do, or what the user has done since the last one; from the same changeset as a run. */
export async function workspaceDiff(ctx: Context, request: DiffRequest) {
  const { changesetOnly } = await import("../run/run.ts");
  const changeset = await changesetOnly(ctx, request.run);
  const wanted = pathFilter(
    changeset,
    request.paths.map((path) => pathFromRoot(ctx, path).path),
  );
  const { git } = changeset.gathering.sources;
  const found = request.local ? localChanges(changeset) : plannedChanges(changeset);
  const listed = found.filter(({ path }) => wanted(path));
  // With --local a conflict is among the edits.
  const standing = request.local ? [] : conflictsOf(changeset).filter(({ path }) => wanted(path));
  const sides = request.local
    ? localSides(changeset, listed)
    : plannedSides(changeset, [...listed, ...standing]);
  const texts = await diffTexts(git, sides, request.patch);
  const withText = <T extends { path: string }>(one: T) => ({
    ...one,
    ...(texts.get(one.path) ?? { added: 0, removed: 0 }),
  });
  return {
    against: request.local
      ? ("local" as const)
      : request.run.update
        ? ("update" as const)
        : ("lock" as const),
    changes: listed.map(withText),
    conflicts: standing.map(withText),
    repos: request.local ? [] : reposOf(changeset).filter(({ path }) => wanted(path)),
    lock_changes: request.local ? [] : await lockChanges(changeset),
    would_change: request.local ? listed.length > 0 : wouldChange(changeset),
  };
}

function pathFilter(changeset: Changeset, paths: readonly string[]): (path: string) => boolean {
  const known = [
    ...changeset.files.map(({ path }) => path),
    ...changeset.drafts.map(({ path }) => path),
    ...changeset.declared.map(({ path }) => path),
  ];
  const asked = paths.map((path) => path.replace(/^\.\//, "").replace(/\/+$/, ""));
  const covers = (folder: string, path: string) =>
    folder === "." || path === folder || path.startsWith(`${folder}/`);
  const unknown = asked.find((path) => !known.some((one) => covers(path, one)));
  if (unknown !== undefined) {
    const near = nearest(unknown, known);
    throw fail("E_NOT_FOUND", {
      message: `Writ composes nothing at ${unknown}.`,
      cause: near === undefined ? "No composed path is like it." : `The nearest is ${near}.`,
      remediation: near === undefined ? "See what there is: writ diff" : `writ diff ${near}`,
      details: { path: unknown, ...(near !== undefined && { nearest: near }) },
    });
  }
  return (path) => asked.length === 0 || asked.some((folder) => covers(folder, path));
}

function plannedChanges({ drafts, files }: Changeset): Change[] {
  const planned = new Map(files.map((file) => [file.path, file]));
  const written = drafts.map(
    (draft): Change => ({ ...changeOf(planned.get(draft.path), draft), action: actionOf(draft) }),
  );
  const adopted = files.flatMap((file): Change[] => {
    if (file.step !== "record" || file.state === "edited") return [];
    return [{ ...changeOf(file, { path: file.path, from: null, to: file.next }), action: "adopt" }];
  });
  return [...written, ...adopted].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** What a run keeps although both sides changed it: yours against the new text. */
function conflictsOf({ files }: Changeset) {
  return files.flatMap((file) => {
    const { path, state, reason, unmerged, local, next } = file;
    if (state !== "conflict" || !reason) return [];
    const change = changeOf(file, { path, from: local, to: next });
    return [{ ...change, reason, ...(unmerged && { unmerged }), theirs_path: theirsPath(path) }];
  });
}

function changeOf(
  file: PlannedFile | undefined,
  { path, from, to }: Pick<Draft, "path" | "from" | "to">,
): Omit<Change, "action"> {
  const stack = file?.output?.origin?.stack ?? file?.recorded?.stack;
  return {
    path,
    ...(stack !== undefined && { stack }),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
  };
}

/** What the user changed: edits, and files of theirs that stand where something else was composed. */
function localChanges({ files }: Changeset): Change[] {
  return files.flatMap((file): Change[] => {
    const { state, base, local } = file;
    if (state === "missing")
      return [{ ...changeOf(file, { path: file.path, from: base, to: null }), action: "delete" }];
    if (state !== "edited" && state !== "conflict" && state !== "orphan_edited") return [];
    return [{ ...changeOf(file, { path: file.path, from: base, to: local }), action: "update" }];
  });
}

async function* plannedSides(
  changeset: Changeset,
  changes: readonly { path: string }[],
): AsyncGenerator<Sides> {
  const wanted = new Set(changes.map(({ path }) => path));
  const drafts = changeset.drafts.filter(({ path }) => wanted.has(path));
  const found = new Map(changeset.files.map((file) => [file.path, file.found]));
  for (const draft of drafts) {
    const before = await bytesOnDisk(changeset, draft.path, found.get(draft.path));
    yield { path: draft.path, before, after: await contentOf(changeset, draft) };
  }
  for (const { path, state, found: local, next, output, theirs } of changeset.files) {
    if (state !== "conflict" || !wanted.has(path)) continue;
    const before = await bytesOnDisk(changeset, path, local);
    yield {
      path,
      before,
      after: theirs ?? (await contentOf(changeset, { path, from: null, to: next, content: output?.content })),
    };
  }
}

async function* localSides(changeset: Changeset, changes: readonly Change[]): AsyncGenerator<Sides> {
  const readBase = baseReader(changeset.gathering, changeset.stacks);
  const files = new Map(changeset.files.map((file) => [file.path, file]));
  for (const { path } of changes) {
    const file = files.get(path);
    if (!file) continue;
    if (file.unedited)
      yield { path, before: file.unedited, after: await bytesOnDisk(changeset, path, file.found) };
    // What a generated region was before both sides changed it is known by its hash only.
    if (file.kind === "context") continue;
    const isUnmoved = file.output && file.next === file.base;
    const before = isUnmoved
      ? await contentOf(changeset, { path, from: null, to: file.next, content: file.output?.content })
      : await readBase(file);
    yield {
      path,
      before,
      after: file.state === "missing" ? undefined : await bytesOnDisk(changeset, path, file.found),
    };
  }
}

async function bytesOnDisk(
  { gathering }: Changeset,
  path: string,
  found: PlannedFile["found"] | undefined,
): Promise<Buffer | undefined> {
  if (found?.kind === "file" && found.bytes) return found.bytes;
  if (found?.kind === "absent") return undefined;
  const { look } = await import("../swap/disk.ts");
  const now = await look(gathering.root, path);
  return now.kind === "file" ? now.bytes : now.kind === "link" ? Buffer.from(`${now.target}\n`) : undefined;
}

async function contentOf({ readBlobs }: Changeset, { to, content }: Draft): Promise<Buffer | undefined> {
  if (to === null || !content) return undefined;
  if (content.kind === "bytes") return content.bytes;
  if (content.kind === "link") return Buffer.from(`${content.target}\n`);
  for await (const { bytes } of readBlobs(content.stack, [content.key])) return bytes;
  return undefined;
}

function reposOf({ repos, orphans }: Changeset): { path: string; action: string; reason?: string }[] {
  return [
    ...repos.map(({ declared, action, reason }) => ({
      path: declared.path,
      action,
      ...(reason && { reason }),
    })),
    ...orphans.orphans.map(({ path }) => ({ path, action: "kept", reason: "no_longer_declared" })),
  ];
}

// What a person reads before an update; the whole log is in the repository.
const shownCommits = 50;

async function lockChanges({ gathering, registry, stacks, repos, lock }: Changeset) {
  const gitDirs = new Map([
    ...stacks.map(({ stack }) => [stack.label, stack.answer.gitDir] as const),
    ...repos.map(({ declared, answer }) => [declared.path, answer.gitDir] as const),
    ["registry", registry?.answer.gitDir] as const,
  ]);
  return Promise.all(
    lock.moved.map(async ({ id, from, to }) => {
      const gitDir = gitDirs.get(id);
      const log: Logged[] =
        gitDir === undefined || from === null
          ? []
          : await logBetween(gathering.sources.git, { gitDir, from, to, max: shownCommits }).catch(() => []);
      return { id, from, to, commits: log.length, log };
    }),
  );
}
