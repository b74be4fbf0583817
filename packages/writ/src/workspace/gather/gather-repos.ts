import { join } from "node:path";
import { inParallel, lstatOrNull } from "../../platform/index.ts";
import type { DeclaredRepo } from "../declare/declared.ts";
import { requireDistinctPaths, reposOf } from "../declare/declared-repos.ts";
import { answerOptionsOf, movesStack, resolveOptionsOf, type Gathering } from "./gathering.ts";
import type { GatheredStack } from "./gather-stacks.ts";
import { answers } from "../declare/lock-answers.ts";
import type { LockRepo } from "../declare/model/lock.ts";
import { problemsError } from "../declare/problems.ts";
import { fastForward } from "../repos/repo-forward.ts";
import { inspectRepo, type PlannedRepo, type RepoPlace } from "../repos/repo-plan.ts";
import { resolveSources, type Answer, type Asked } from "../sources/resolve.ts";
import { checkAgainstStacks } from "../declare/stack-checks.ts";

/** Every declared repository, once the workspace is known to be sound. */
export function declaredRepos(
  gathering: Gathering,
  stacks: readonly GatheredStack[],
  contextFiles: readonly string[],
): DeclaredRepo[] {
  const { inputs, sources } = gathering;
  const problems = checkAgainstStacks(inputs.manifest, stacks, { base: sources.base, contextFiles });
  if (problems.length > 0) throw problemsError(problems, "E_INVALID_MANIFEST");
  const repos = reposOf(inputs.manifest, stacks);
  requireDistinctPaths(repos);
  return repos;
}

/** The lock's entry for a declared repository. */
export function lockedRepo(gathering: Gathering, declared: DeclaredRepo): LockRepo | undefined {
  const options = answerOptionsOf(gathering);
  return gathering.inputs.lock?.repos.find((pinned) => answers(pinned, declared, options));
}

/** Looks at the place of every repository, asks for those that must be cloned, and decides what happens to each. */
export async function planRepos(
  gathering: Gathering,
  declared: readonly DeclaredRepo[],
): Promise<PlannedRepo[]> {
  const { root, sources } = gathering;
  const { git, base, jobs } = sources;
  const places = await inParallel(declared, jobs, (repo) => inspectRepo(git, { root, declared: repo, base }));
  const asked = declared.map((repo, at) => askFor(gathering, repo, places[at] ?? { kind: "free" }));
  const answered = await resolveSources(asked, resolveOptionsOf(gathering));
  return inParallel(declared, jobs, (repo, at) => {
    const facts = { declared: repo, place: places[at] ?? { kind: "free" as const }, answer: answered[at] };
    return planRepo(gathering, facts);
  });
}

function askFor(gathering: Gathering, repo: DeclaredRepo, place: RepoPlace): Asked {
  const locked = lockedRepo(gathering, repo);
  return {
    label: repo.path,
    kind: "repository",
    source: repo.source,
    want: repo.want,
    ...(locked && { locked }),
    update: movesRepo(gathering, repo),
    needsObjects: place.kind === "free",
  };
}

/** An update of a stack moves the repositories it declares; those of nobody move with an update of all. */
function movesRepo({ request }: Gathering, { stack }: DeclaredRepo): boolean {
  return stack === undefined ? request.update && request.stacks.length === 0 : movesStack(request, stack);
}

async function planRepo(
  gathering: Gathering,
  { declared, place, answer }: { declared: DeclaredRepo; place: RepoPlace; answer: Answer | undefined },
): Promise<PlannedRepo> {
  if (!answer) throw new TypeError("a repository without an answer");
  const locked = lockedRepo(gathering, declared);
  const planned = { declared, place, answer, ...(locked && { locked }) };
  if (place.kind === "free") return { ...planned, action: "cloned" };
  const branch = answer.ref?.startsWith("refs/heads/") ? answer.ref.slice("refs/heads/".length) : undefined;
  if (!movesRepo(gathering, declared) || branch === undefined || !answer.gitDir || !answer.commit) {
    return { ...planned, action: "kept" };
  }
  const path = join(gathering.root, declared.path);
  const order = { path, branch, commit: answer.commit, cache: answer.gitDir, dryRun: true };
  const { action, reason, from } = await fastForward(gathering.sources.git, order);
  if (action === "updated" && from !== undefined) return { ...planned, action: "fast_forwarded", from };
  return { ...planned, action: "kept", ...(reason && { reason }) };
}

/** How many declared repositories stand in the workspace; a run that leaves them alone says so. */
export async function countPresent(root: string, repos: readonly DeclaredRepo[]): Promise<number> {
  const found = await inParallel(repos, 16, ({ path }) => lstatOrNull(join(root, path, ".git")));
  return found.filter((stats) => stats !== null).length;
}
