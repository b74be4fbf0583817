import { fail } from "../../contract/index.ts";
import type { Asset } from "./assets.ts";
import { checkRelativePath, foldedPath } from "../declare/paths.ts";

interface Owner {
  path: string;
  asset: Asset;
}

/** Remembers which paths are taken, as a file system that ignores case and composition would see them. */
export function createTree() {
  const files = new Map<string, Owner>();
  const folders = new Map<string, Owner>();

  /** Throws E_UNSAFE_PATH or E_PATH_CONFLICT; an equal path may be placed again. */
  function place(asset: Asset, source: string): void {
    const { reason } = checkRelativePath(source);
    if (reason !== undefined) throw unsafe(asset, source, reason);
    const owner = { path: asset.path, asset };
    const key = foldedPath(asset.path);
    const twin = files.get(key);
    if (twin && twin.path !== asset.path)
      throw conflict(owner, twin, "differ only in letter case or in how accents are written");
    const folder = folders.get(key);
    if (folder) throw conflict(owner, folder, "one is a file where the other needs a folder");
    for (let at = key.lastIndexOf("/"); at > 0; at = key.lastIndexOf("/", at - 1)) {
      const parent = key.slice(0, at);
      const file = files.get(parent);
      if (file) throw conflict(owner, file, "one is a file where the other needs a folder");
      const known = folders.get(parent);
      if (!known) folders.set(parent, owner);
      // A folder that is spelled alike was compared with those above it when it was first seen.
      else if (isSameFolder(known.path, asset.path, parent)) break;
      else throw conflict(owner, known, "lie in folders that differ only in letter case or in accents");
    }
    files.set(key, owner);
  }

  return { place };
}

/** True when two paths spell a folder they share on some file systems alike; `folded` says how deep it is. */
function isSameFolder(one: string, other: string, folded: string): boolean {
  const depth = folded.split("/").length;
  const head = (path: string) => path.split("/", depth).join("/");
  return head(one) === head(other);
}

function unsafe(asset: Asset, source: string, reason: string) {
  return fail("E_UNSAFE_PATH", {
    message: `Stack ${asset.origin.stack} holds a file whose path is unsafe: ${JSON.stringify(source)}.`,
    cause: `The path is refused: ${reason.replaceAll("_", " ")}.`,
    remediation: "Rename it in the stack, or pin an earlier commit in workspace.yml.",
    details: { stack: asset.origin.stack, path: source, reason },
  });
}

function conflict(one: Owner, other: Owner, why: string) {
  const origins = [other, one].map(({ path, asset: { origin } }) => ({ path, ...origin }));
  const named = origins.map(({ stack, source, path }) => `${stack} (${source || path})`);
  return fail("E_PATH_CONFLICT", {
    message: `${named.join(" and ")} cannot both be composed.`,
    cause: `${JSON.stringify(other.path)} and ${JSON.stringify(one.path)}: ${why}.`,
    remediation: "Rename one of the two in its stack, or drop one stack from workspace.yml.",
    details: { paths: [other.path, one.path], origins },
  });
}
