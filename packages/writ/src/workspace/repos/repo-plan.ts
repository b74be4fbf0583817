import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../contract/index.ts";
import { inspectTarget, lstatOrNull, redact, unsafeLink, type Git } from "../../platform/index.ts";
import type { DeclaredRepo } from "../declare/declared.ts";
import type { LockRepo } from "../declare/model/lock.ts";
import type { Answer } from "../sources/resolve.ts";
import type { KeptReason } from "./repo-forward.ts";
import { repoFacts, type RepoFacts } from "./repos-git.ts";
import { identityOf, identityOfRemote, repoText, urlOf } from "../declare/sources.ts";

/** What stands at a declared path, before anybody is asked. */
export type RepoPlace = { kind: "free" } | { kind: "clone"; facts: RepoFacts };

/** One product repository and what a run does with it. */
export interface PlannedRepo {
  declared: DeclaredRepo;
  place: RepoPlace;
  locked?: LockRepo;
  answer: Answer;
  action: "cloned" | "kept" | "fast_forwarded";
  reason?: KeptReason;
  /** Of a fast-forward. */
  from?: string;
}

/** Looks at the place of a declared repository; refuses whatever is neither free nor that repository. */
export async function inspectRepo(
  git: Git,
  { root, declared, base }: { root: string; declared: DeclaredRepo; base: string },
): Promise<RepoPlace> {
  const { path } = declared;
  const target = await inspectTarget(root, path);
  if (target.kind === "absent") return { kind: "free" };
  if (target.kind === "link") throw unsafeLink(path, "a symbolic link");
  if (target.kind === "special") throw unsafeLink(path, "a special file");
  if (target.kind !== "folder") throw notRepository(declared);
  const folder = join(root, path);
  if ((await readdir(folder)).length === 0) return { kind: "free" };
  if (!(await lstatOrNull(join(folder, ".git")))) throw notRepository(declared);
  const facts = await repoFacts(git, folder);
  if (!facts.isGit) throw notRepository(declared);
  requireIdentity(facts, declared, base);
  return { kind: "clone", facts };
}

function requireIdentity(facts: RepoFacts, declared: DeclaredRepo, base: string): void {
  const wanted = identityOf(declared.source, base);
  if (facts.remotes.some(({ url }) => identityOfRemote(url) === wanted)) return;
  const found = facts.remotes.map(({ url }) => redact(url));
  const expected = redact(urlOf(declared.source, base));
  throw fail("E_WRONG_REMOTE", {
    message: `Another repository stands at ${declared.path}; nothing was changed.`,
    cause: `Its remotes are ${found.join(", ") || "none"}, and ${expected} is declared (${declared.from}).`,
    remediation: `Move it away (mv ${declared.path} ${declared.path}.old) or declare another path, then: writ bootstrap`,
    details: { path: declared.path, expected, found },
  });
}

function notRepository({ path, from, source }: DeclaredRepo) {
  return fail("E_PATH_CONFLICT", {
    message: `Files that are no git repository stand at ${path}; nothing was changed.`,
    cause: `${repoText(source)} (${from}) would be cloned there.`,
    remediation: `Move them away (mv ${path} ${path}.old) or declare another path, then: writ bootstrap`,
    details: { path, origins: ["files of this workspace", from] },
  });
}
