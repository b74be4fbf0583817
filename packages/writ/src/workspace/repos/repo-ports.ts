import { rename } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, lstatOrNull, removeEmptyParents, removeTree, type Git } from "../../platform/index.ts";
import type { Sources } from "../sources/open-sources.ts";
import { judgePrune } from "./prune.ts";
import { fastForward } from "./repo-forward.ts";
import { stateOf } from "../swap/state.ts";
import type { RepoPorts } from "../swap/swap.ts";
import { commitWorkspace } from "./workspace-repo.ts";

/** What a swap does to repositories, with real git; `open` is called only when there is something to do. */
export function repoPorts(root: string, run: string, open: () => Pick<Sources, "git" | "cache">): RepoPorts {
  return {
    async forward({ path, branch, to, url }) {
      const { git, cache } = open();
      // Looks again by itself, and keeps a repository that is no longer as it was.
      await fastForward(git, { path: join(root, path), branch, commit: to, cache: cache.gitDir(url) });
    },
    submodule: (path, url) => addSubmodule(open().git, root, { path, url }),
    async prune(step) {
      const folder = join(root, step.path);
      if (!(await lstatOrNull(folder))) return true;
      if (await judgePrune(open(), root, step)) return false;
      // Out of sight in one step, so that a crash leaves no half of a repository.
      const staging = stateOf(root).stagingOf(run);
      await makeFolder(staging);
      const away = join(staging, `pruned-${Buffer.from(step.path).toString("hex").slice(0, 200)}`);
      await removeTree(away);
      await rename(folder, away);
      await removeTree(away);
      await removeEmptyParents(folder, root);
      return true;
    },
    commit: () => commitWorkspace(open().git, root),
  };
}

/** Registers a clone that stands in place; the one thing Writ stages in the user's index. */
async function addSubmodule(
  git: Git,
  root: string,
  { path, url }: { path: string; url: string },
): Promise<void> {
  const at = { gitDir: join(root, ".git"), workTree: root, cwd: root, writes: true };
  const known = await git.run(["config", "--file", ".gitmodules", "--get", `submodule.${path}.url`], {
    cwd: root,
  });
  if (known.code === 0) return;
  const args = ["submodule", "add", "--force", "--quiet", "--name", path, "--", url, path];
  await git.run(args, { ...at, network: { url, label: path } });
}
