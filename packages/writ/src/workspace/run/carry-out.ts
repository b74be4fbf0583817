import type { FaultPoint } from "../swap/faults.ts";
import type { Gathering } from "../gather/gathering.ts";
import { changesetOf, type Changeset } from "../changeset/changeset.ts";
import { describeWorkspaceRepo, mayCommit } from "../repos/workspace-repo.ts";
import { answerOf } from "./answer.ts";
import { applyChangeset } from "./apply.ts";
import type { RunData } from "./run-schema.ts";

/** Plans and composes; undefined when the inputs changed meanwhile and nothing was done. */
export async function carryOut(gathering: Gathering, fault: FaultPoint): Promise<RunData | undefined> {
  const changeset = await changesetOf(gathering);
  await fault("e");
  const applied = await applyChangeset(changeset, {
    fault,
    answer: (outcome) => answerOf(changeset, outcome),
  });
  if (applied.state === "inputs_changed") return undefined;
  gathering.ctx.emit({ phase: "done" });
  const data = applied.state === "done" ? (applied.data as RunData) : answerOf(changeset);
  return { ...data, ...(await workspaceRepo(gathering, changeset)), changed: applied.state === "done" };
}

/** What a run would do. */
export async function foresee(gathering: Gathering): Promise<RunData> {
  const changeset = await changesetOf(gathering);
  return { ...answerOf(changeset), changed: wouldChange(changeset) };
}

/** True when carrying out the changeset would change a file, the lock, a clone or a record of an adoption. */
export function wouldChange({ drafts, files, lock, repos, orphans }: Changeset): boolean {
  const moves = repos.some(({ action }) => action !== "kept") || orphans.prunes.length > 0;
  return drafts.length > 0 || lock.changed || moves || files.some(({ step }) => step === "record");
}

async function workspaceRepo(
  { ctx, root, sources, inputs }: Gathering,
  changeset: Changeset,
): Promise<Pick<RunData, "workspace_repo">> {
  if (!inputs.manifest.workspaceRepo.enabled) return {};
  const reason = await mayCommit(sources.git, root);
  if (reason) {
    ctx.warn({
      code: "W_NOT_COMMITTED",
      message: `The changed files were not committed: ${reason.replaceAll("_", " ")}.`,
      remediation: "Commit them yourself: git add workspace.yml workspace.lock.yml .gitignore && git commit",
    });
  }
  const stacks = changeset.stacks.map(({ stack }) => stack);
  return {
    workspace_repo: await describeWorkspaceRepo(sources.git, root, {
      manifest: inputs.manifest,
      stacks,
      registry: changeset.registry,
    }),
  };
}
