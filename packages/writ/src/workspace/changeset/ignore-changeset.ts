import type { Warning } from "../../contract/index.ts";
import { tooLarge, unsafeLink, type Git } from "../../platform/index.ts";
import { hashOf, look } from "../swap/disk.ts";
import { findEnclosingRepo, trackedPaths } from "../repos/enclosing-repo.ts";
import { folderInTheWay, type PlannedFile } from "./file-changeset.ts";
import { maxContextBytes } from "../compose/context-bytes.ts";
import { composeIgnore } from "../compose/gitignore.ts";
import { markersDamaged } from "../compose/markers.ts";
import { generated } from "./outputs.ts";

const ignoreFile = ".gitignore";

export interface IgnoreInput {
  root: string;
  git: Git;
  /** True when Writ keeps the workspace in a repository of its own. */
  ownRepo: boolean;
  /** Files that are generated whole, or that hold text of Writ only. */
  generatedPaths: readonly string[];
  /** Context files: never listed once git tracks them. */
  contextPaths: readonly string[];
  /** Folders: clones, and the base of worktrees. */
  folders: readonly string[];
}

/** Plans the block in .gitignore; nothing where no git would read it. */
export async function planIgnore(input: IgnoreInput): Promise<{ file?: PlannedFile; warnings: Warning[] }> {
  const { root, git, generatedPaths, contextPaths, folders } = input;
  const repo = await findEnclosingRepo(root);
  if (!repo && !input.ownRepo) return { warnings: [] };
  const always = [".agents/", ".stack/", ".writ/"];
  const tracked = repo ? await trackedPaths(git, repo, [...always, ...generatedPaths]) : new Set<string>();
  const isContext = new Set(contextPaths);
  const listed = generatedPaths.filter((path) => !(isContext.has(path) && tracked.has(path)));
  const found = await look(root, ignoreFile);
  if (found.kind === "link") throw unsafeLink(ignoreFile, "a symbolic link");
  if (found.kind === "special") throw unsafeLink(ignoreFile, "a special file");
  if (found.kind === "folder") throw folderInTheWay(ignoreFile, "workspace.yml");
  if (found.kind === "file" && !found.bytes) throw tooLarge(ignoreFile, maxContextBytes, found.print.size);
  const bytes = found.kind === "file" ? (found.bytes ?? null) : null;
  const block = composeIgnore(bytes, [
    ...listed,
    ...folders.map((folder) => `${folder.replace(/\/$/, "")}/`),
  ]);
  if ("damage" in block) throw markersDamaged([block.damage]);
  const output = generated(ignoreFile, "block", block.bytes);
  const file: PlannedFile = {
    path: ignoreFile,
    kind: "block",
    state: block.changed ? (bytes ? "outdated" : "new") : "clean",
    step: block.changed ? (bytes ? "update" : "create") : "none",
    base: null,
    local: hashOf(found),
    next: output.sha256,
    found,
    output,
  };
  const still = [...tracked].filter((path) => !isContext.has(path));
  return { file, warnings: still.length === 0 ? [] : [trackedWarning(still)] };
}

function trackedWarning(paths: readonly string[]): Warning {
  return {
    code: "W_TRACKED_GENERATED",
    message: `git tracks what is generated: ${paths.join(", ")}.`,
    remediation: `Stop tracking it, keeping the files: git rm -r --cached ${paths.join(" ")}`,
  };
}
