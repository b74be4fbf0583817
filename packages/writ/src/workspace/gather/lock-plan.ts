import { fail } from "../../contract/index.ts";
import type { DeclaredRepo } from "../declare/declared.ts";
import type { Registry } from "./gather-registry.ts";
import type { GatheredStack, ReadStack } from "./gather-stacks.ts";
import type { Gathering } from "./gathering.ts";
import { sha256 } from "../swap/hashes.ts";
import { differences, type AskedAll, type Difference } from "../declare/lock-answers.ts";
import { printLock } from "../declare/lock.ts";
import type { Lock, LockRepo } from "../declare/model/lock.ts";
import type { PlannedRepo } from "../repos/repo-plan.ts";
import { repoText } from "../declare/sources.ts";

/** The lock after the run. */
export interface LockPlan {
  lock: Lock;
  text: string;
  hash: string;
  changed: boolean;
  moved: { id: string; from: string | null; to: string }[];
}

/** The lock that follows from what was resolved; unchanged content keeps the bytes it has. */
export function planLock(
  { inputs, request }: Gathering,
  parts: { registry?: Registry; stacks: readonly ReadStack[]; repos: readonly LockRepo[] },
): LockPlan {
  const lock: Lock = {
    schema: "writ/1",
    ...(parts.registry && { registry: lockedRegistry(parts.registry) }),
    stacks: parts.stacks.map(({ stack, content }) => ({
      id: stack.label,
      repo: repoText(stack.source),
      want: stack.entry.want,
      ...(stack.answer.ref !== undefined && { ref: stack.answer.ref }),
      ...(stack.answer.commit !== undefined && { commit: stack.answer.commit }),
      content,
    })),
    repos: [...parts.repos],
  };
  const text = printLock(lock);
  const moved = movesOf(lock, parts.stacks, inputs.lock);
  if (request.frozen && inputs.lockText !== undefined && inputs.lockHash !== null) {
    return { lock, text: inputs.lockText, hash: inputs.lockHash, changed: false, moved: [] };
  }
  const isSame = inputs.lock && !inputs.upgraded && printLock(inputs.lock) === text;
  if (isSame && inputs.lockText !== undefined && inputs.lockHash !== null) {
    return { lock, text: inputs.lockText, hash: inputs.lockHash, changed: false, moved };
  }
  return { lock, text, hash: sha256(text), changed: true, moved };
}

function lockedRegistry({ source, want, answer }: Registry): NonNullable<Lock["registry"]> {
  const commit = answer.commit ?? "";
  return { repo: repoText(source), want, ref: answer.ref ?? commit, commit };
}

/** The lock's entry of a repository: what the remote had, never a local commit. */
export function lockRepoOf({ declared, answer }: PlannedRepo): LockRepo {
  const commit = answer.commit ?? "";
  return {
    path: declared.path,
    repo: repoText(declared.source),
    want: declared.want,
    ref: answer.ref ?? commit,
    commit,
    from: declared.from,
  };
}

function movesOf(lock: Lock, stacks: readonly ReadStack[], before: Lock | undefined): LockPlan["moved"] {
  const ofStacks = stacks.map(({ stack }) => ({
    id: stack.label,
    from: stack.locked?.commit,
    to: stack.answer.commit,
  }));
  const ofRepos = lock.repos.map(({ path, commit }) => ({
    id: path,
    from: before?.repos.find((repo) => repo.path === path)?.commit,
    to: commit,
  }));
  const registry = { id: "registry", from: before?.registry?.commit, to: lock.registry?.commit };
  return [registry, ...ofStacks, ...ofRepos].flatMap(({ id, from, to }) =>
    from === undefined || to === undefined || from === to ? [] : [{ id, from, to }],
  );
}

/** Refuses a frozen run without a lock before anybody is asked. */
export function requireLock({ inputs, sources, request }: Gathering): void {
  if (request.frozen && !inputs.lock) throw outdated(differences(undefined, { stacks: [] }, sources.base));
}

/** Refuses, when the lock is frozen, what it does not answer; stacks first, since they declare the rest. */
export function requireFrozen(
  { inputs, sources, request }: Gathering,
  asked: {
    registry?: Registry | undefined;
    stacks: readonly Pick<GatheredStack, "source" | "entry">[];
    repos?: readonly DeclaredRepo[];
  },
): void {
  if (!request.frozen) return;
  const { registry, repos } = asked;
  const all: AskedAll = {
    ...(registry && {
      registry: {
        source: registry.source,
        want: registry.want,
        ...(inputs.manifest.registry && { declaredAt: inputs.manifest.registry.declaredAt }),
      },
    }),
    stacks: asked.stacks.map(({ source, entry }) => ({
      source,
      want: entry.want,
      declaredAt: entry.declaredAt,
    })),
    ...(repos && { repos }),
  };
  const found = differences(inputs.lock, all, sources.base);
  if (found.length > 0) throw outdated(found);
}

const happened = {
  missing_lock: "is missing",
  added: "was added",
  removed: "was removed",
  changed: "was changed",
};

function outdated(found: readonly Difference[]) {
  const told = found.slice(0, 5).map(({ kind, what, name, file, pointer, line }) => {
    const place = line === undefined ? pointer : `:${line}`;
    return `${what} "${name}" ${happened[kind]} (${file}${place})`;
  });
  return fail("E_LOCK_OUTDATED", {
    message: "The lock does not answer workspace.yml; nothing was changed.",
    cause: `${told.join("; ")}${found.length > 5 ? "; …" : ""}.`,
    remediation: "Run `writ bootstrap` without --frozen and commit workspace.lock.yml.",
    details: { differences: found },
  });
}
