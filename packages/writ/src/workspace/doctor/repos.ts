import { join } from "node:path";
import { WritError } from "../../contract/index.ts";
import { counted, lstatOrNull } from "../../platform/index.ts";
import type { DeclaredRepo } from "../declare/declared.ts";
import { findOrphans } from "../repos/orphans.ts";
import type { Observed } from "../run/observe-changeset.ts";
import { inspectRepo } from "../repos/repo-plan.ts";
import { parseRepoText } from "../declare/sources.ts";
import { type CheckRow, type Finding, failed, listed, ok, warn } from "./check.ts";
import { type Room, withObserved } from "./room.ts";

/** Product repositories. */
export const repoChecks: readonly CheckRow[] = [
  { id: "repos.present", worst: "warn", workspace: true, look: lookAtPresence },
  { id: "repos.orphans", worst: "warn", workspace: true, look: lookAtOrphans },
  { id: "repos.remote", worst: "fail", workspace: true, look: lookAtRemotes },
];

/** The declared repositories: from the changeset, else those the lock names. */
function reposOf({ changeset, inputs }: Observed): DeclaredRepo[] {
  if (changeset) return changeset.declared;
  return (inputs.lock?.repos ?? []).flatMap(({ path, repo, want, from }) => {
    const source = parseRepoText(repo).value;
    if (!source || source.kind === "path") return [];
    return [
      {
        path,
        source,
        want,
        from,
        mode: "clone",
        declaredAt: { pointer: "", line: 1 },
      } satisfies DeclaredRepo,
    ];
  });
}

async function lookAtPresence(room: Room): Promise<Finding> {
  return withObserved(room, async (seen) => {
    const repos = reposOf(seen);
    const absent: string[] = [];
    for (const { path } of repos) if (!(await lstatOrNull(join(seen.root, path, ".git")))) absent.push(path);
    if (absent.length > 0) return warn(`not cloned: ${listed(absent)}`, { remediation: "writ bootstrap" });
    return ok(repos.length === 0 ? "none is declared" : `${repos.length} cloned`);
  });
}

async function lookAtOrphans(room: Room): Promise<Finding> {
  return withObserved(room, async (seen) => {
    const orphans = await findOrphans(seen.root, seen.inputs.applied.applied?.repos ?? [], reposOf(seen));
    if (orphans.length === 0) return ok("none");
    return warn(`no longer declared: ${listed(orphans.map(({ path }) => path))}`, {
      remediation: "writ bootstrap --prune",
    });
  });
}

async function lookAtRemotes(room: Room): Promise<Finding> {
  return withObserved(room, async (seen) => {
    const { git, base } = room.sources();
    const repos = reposOf(seen);
    const wrong: WritError[] = [];
    for (const declared of repos) {
      await inspectRepo(git, { root: seen.root, declared, base }).catch((error: unknown) => {
        if (!(error instanceof WritError)) throw error;
        wrong.push(error);
      });
    }
    const [first] = wrong;
    if (!first)
      return ok(repos.length === 0 ? "none is declared" : `${counted(repos.length, "path")} as declared`);
    return failed(
      listed(wrong.map(({ failure }) => failure.message.replace(/(?:; nothing was changed)?\.$/, ""))),
      { remediation: first.failure.remediation },
    );
  });
}
