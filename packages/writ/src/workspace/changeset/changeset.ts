import type { DeclaredRepo } from "../declare/declared.ts";
import { planComposition, type ComposeChangeset } from "./compose-changeset.ts";
import { planConflictFiles, type ReadBase } from "./conflict-files.ts";
import { planContext, type ContextPlan } from "../compose/context-plan.ts";
import { blobReader } from "../gather/blob-reader.ts";
import { draftOf, type Draft, type ReadBlobs } from "../swap/drafts.ts";
import type { PlannedFile } from "./file-changeset.ts";
import { gatherOverlay, overlayLabel, type OverlayState } from "../gather/gather-overlay.ts";
import { gatherRegistry, type Registry } from "../gather/gather-registry.ts";
import { countPresent, declaredRepos, lockedRepo, planRepos } from "../gather/gather-repos.ts";
import { gatherStacks, layStacks, type GatheredStack, type ReadStack } from "../gather/gather-stacks.ts";
import type { Gathering } from "../gather/gathering.ts";
import { planIgnore } from "./ignore-changeset.ts";
import { privateIndexPath } from "../compose/index-file.ts";
import { lockRepoOf, planLock, requireFrozen, requireLock, type LockPlan } from "../gather/lock-plan.ts";
import { mergeConflicts } from "./merge.ts";
import { planOrphans, type OrphanPlan } from "../repos/orphans.ts";
import { refuseChangeset, warnOfChangeset } from "./changeset-checks.ts";
import type { PlannedRepo } from "../repos/repo-plan.ts";
import { baseReader } from "./read-base.ts";
import { requireApart } from "../declare/declared-repos.ts";
import { repoText } from "../declare/sources.ts";
import type { Skipped } from "../gather/stack-layer.ts";

/** Everything a run will do, worked out in one way for every command that needs to know. */
export interface Changeset {
  gathering: Gathering;
  registry?: Registry;
  stacks: ReadStack[];
  overlay: OverlayState;
  context: ContextPlan;
  declared: DeclaredRepo[];
  /** Empty when repositories are left alone. */
  repos: PlannedRepo[];
  /** Repositories that stand in the workspace, when they are left alone. */
  reposKept: number;
  orphans: OrphanPlan;
  compose: ComposeChangeset;
  files: PlannedFile[];
  /** Every change of a file, conflict files included. */
  drafts: Draft[];
  /** Paths that stay as they are because their source cannot be reached. */
  carried: ReadonlySet<string>;
  lock: LockPlan;
  skipped: Skipped[];
  readBlobs: ReadBlobs;
}

/** Works out what a run would do; nothing of the workspace is changed. */
export async function changesetOf(asked: Gathering): Promise<Changeset> {
  // From here on there may be something to say of a line of workspace.yml.
  const inputs = { ...asked.inputs, manifest: await asked.inputs.whole() };
  const gathering = { ...asked, inputs };
  const { ctx, root, request } = gathering;
  ctx.emit({ phase: "resolve" });
  requireLock(gathering);
  const registry = await gatherRegistry(gathering);
  const gathered = await gatherStacks(gathering, registry);
  const context = planContext(inputs.manifest.agentContext ?? registry?.manifest.agentContext);
  const declared = declaredRepos(gathering, gathered, context.paths);
  requireFrozen(gathering, { registry, stacks: gathered, ...(request.repos && { repos: declared }) });
  const repos = request.repos ? await planRepos(gathering, declared) : [];
  ctx.emit({ phase: "verify" });
  const stacks = layStacks(gathered);
  const overlay = await gatherOverlay(gathering);
  const opened = [
    ...gathered.map((stack) => stack.opened),
    ...(overlay.state === "reached" ? [overlay.overlay.opened] : []),
  ];
  const readBlobs = blobReader(gathering.sources.cache, opened);
  const lock = planLock(gathering, {
    ...(registry && { registry }),
    stacks,
    repos: lockRepos(gathering, repos),
  });

  ctx.emit({ phase: "compose" });
  const carried = carriedPaths(gathering, overlay);
  const layers = [
    ...stacks.map(({ layer }) => layer),
    ...(overlay.state === "reached" ? [overlay.overlay.layer] : []),
  ];
  const compose = await planComposition({
    root,
    workspaceName: inputs.manifest.name,
    agents: inputs.manifest.schema === "writ/1",
    layers,
    stacks: stackLines(gathered),
    repos: repoLines(gathering, declared, repos),
    context,
    applied: inputs.applied,
    choices: request.choices,
    readBlobs,
    carried,
    allowsLinks: () => gathering.allowsLinks(),
  });

  ctx.emit({ phase: "plan" });
  const parts = { registry, stacks, overlay, context, declared, repos, compose, carried, lock, readBlobs };
  return finishChangeset(
    gathering,
    parts,
    opened.flatMap((stack) => stack.skipped),
  );
}

type Parts = Omit<Changeset, "gathering" | "reposKept" | "orphans" | "files" | "drafts" | "skipped">;

async function finishChangeset(gathering: Gathering, parts: Parts, skipped: Skipped[]): Promise<Changeset> {
  const { root, inputs, request, sources } = gathering;
  const { manifest } = inputs;
  const { compose, declared, context, readBlobs } = parts;
  requireApart(
    declared,
    compose.files.flatMap(({ path, next }) => (next === null ? [] : [path])),
  );
  const ignore = await planIgnore({
    root,
    git: sources.git,
    ownRepo: manifest.workspaceRepo.enabled,
    generatedPaths: compose.generatedPaths,
    contextPaths: context.paths,
    folders: [...declared.map(({ path }) => path), manifest.worktrees.baseDir],
  });
  const readBase: ReadBase = baseReader(gathering, parts.stacks);
  const mergers = { git: sources.git, choices: request.choices, readBase, readBlobs };
  const merged = await mergeConflicts(compose.files, mergers);
  const files = [...merged, ...(ignore.file ? [ignore.file] : [])];
  const conflicts = await planConflictFiles(root, files, readBase);
  const changeset: Changeset = {
    ...parts,
    gathering,
    files,
    drafts: [...files.flatMap((file) => draftOf(file) ?? []), ...conflicts],
    reposKept: request.repos ? 0 : await countPresent(root, declared),
    orphans: await planOrphans(gathering, declared),
    skipped,
  };
  refuseChangeset(changeset);
  warnOfChangeset(changeset, ignore.warnings);
  return changeset;
}

function lockRepos({ inputs, request }: Gathering, repos: readonly PlannedRepo[]) {
  return request.repos ? repos.map(lockRepoOf) : (inputs.lock?.repos ?? []);
}

function stackLines(gathered: readonly GatheredStack[]) {
  return gathered.map(({ label, source, answer }) => ({
    label,
    repo: repoText(source),
    ref: answer.ref,
    commit: answer.commit,
  }));
}

function repoLines(gathering: Gathering, declared: readonly DeclaredRepo[], repos: readonly PlannedRepo[]) {
  return declared.map((repo, at) => {
    const ref = repos[at]?.answer.ref ?? lockedRepo(gathering, repo)?.ref;
    return { path: repo.path, repo: repoText(repo.source), ...(ref !== undefined && { ref }) };
  });
}

/** What was composed from an overlay that cannot be reached now. */
function carriedPaths({ inputs }: Gathering, overlay: OverlayState): Set<string> {
  if (overlay.state !== "unavailable") return new Set();
  const files = inputs.applied.applied?.files ?? [];
  const theirs = files.filter(({ stack, path }) => stack === overlayLabel || path === privateIndexPath);
  return new Set(theirs.map(({ path }) => path));
}
