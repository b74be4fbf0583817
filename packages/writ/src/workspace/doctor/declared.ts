import { join } from "node:path";
import { WritError } from "../../contract/index.ts";
import { counted, readOrNull } from "../../platform/index.ts";
import { differences, type Difference } from "../declare/lock-answers.ts";
import { lockFile } from "../declare/file-names.ts";
import { parseLock } from "../declare/lock.ts";
import { manifestFile } from "../declare/file-names.ts";
import { readManifest } from "../declare/manifest.ts";
import { anew } from "../gather/read-declared.ts";
import { plainRequest } from "../gather/request.ts";
import { type CheckRow, type Finding, failed, info, listed, ok, skipped, warn } from "./check.ts";
import { type Room, withObserved } from "./room.ts";

/** What the workspace declares, and whether the lock answers it. */
export const declaredChecks: readonly CheckRow[] = [
  { id: "workspace.manifest", worst: "fail", workspace: true, look: lookAtManifest },
  { id: "workspace.lock", worst: "fail", workspace: true, look: lookAtLock },
  { id: "workspace.lock_match", worst: "warn", workspace: true, look: lookAtMatch },
];

async function lookAtManifest(room: Room): Promise<Finding> {
  const bytes = (await readOrNull(join(room.root, manifestFile))) ?? Buffer.alloc(0);
  const settings = anew(room.sources(), room.ctx.registered);
  const { manifest, problems } = await readManifest(bytes, settings);
  if (manifest) return ok(`valid (${manifest.schema}), ${counted(manifest.stacks.length, "stack")}`);
  const [first] = problems;
  const more = problems.length > 1 ? ` and ${problems.length - 1} more problems` : "";
  return failed(`${manifestFile}:${first?.line ?? 1}: ${first?.message ?? "it cannot be read"}${more}`, {
    remediation:
      first?.hint === undefined ? "writ schema workspace" : `${first.hint} (writ schema workspace)`,
  });
}

async function lookAtLock(room: Room): Promise<Finding> {
  const bytes = await readOrNull(join(room.root, lockFile));
  if (!bytes) return info("there is no lock yet", { remediation: "writ bootstrap" });
  const { lock, upgraded } = parseLock(bytes);
  if (upgraded) return ok(`a lock of AWaC (${lock.schema}); the next run writes it anew`);
  return ok(`valid, ${counted(lock.stacks.length, "stack")}`);
}

async function lookAtMatch(room: Room): Promise<Finding> {
  return withObserved(room, async ({ inputs, changeset, sources, failure }) => {
    if (!inputs.lock) return warn("there is no lock", { remediation: "writ bootstrap" });
    if (!changeset) return matchWithoutChangeset(room, failure);
    const found = differences(
      inputs.lock,
      {
        ...(changeset.registry && { registry: changeset.registry }),
        stacks: changeset.stacks.map(({ stack }) => ({
          source: stack.source,
          want: stack.entry.want,
          declaredAt: stack.entry.declaredAt,
        })),
        repos: changeset.declared,
      },
      sources.base,
    );
    return found.length === 0 ? ok("the lock answers workspace.yml") : differing(found);
  });
}

function differing(found: readonly Difference[]): Finding {
  const told = found.map(({ kind, what, name }) => `${what} ${name} was ${kind}`);
  return warn(`the lock does not answer workspace.yml: ${listed(told)}`, { remediation: "writ bootstrap" });
}

/** A stack that was added is not in the cache, so there is no changeset; a frozen one stops where lock and manifest differ. */
async function matchWithoutChangeset({ ctx }: Room, failure: WritError | undefined): Promise<Finding> {
  const { changesetOnly } = await import("../run/run.ts");
  const quiet = { ...ctx, emit: () => {}, warn: () => {} };
  try {
    await changesetOnly(
      quiet,
      plainRequest({ command: "writ doctor", frozen: true, repos: false, flags: { offline: true } }),
    );
  } catch (error) {
    if (!(error instanceof WritError)) throw error;
    if (error.code === "E_LOCK_OUTDATED")
      return differing(error.failure.details?.differences as Difference[]);
  }
  return skipped(`not looked at: ${failure?.failure.message ?? "there is no changeset."}`);
}
