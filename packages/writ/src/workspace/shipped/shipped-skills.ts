import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { lstatOrNull, readOrNull, storing, walkFolder } from "../../platform/index.ts";
import { sha256 } from "../swap/hashes.ts";
import { shippedFolder } from "./shipped-folder.ts";

/** A skill that ships with Writ. */
export interface ShippedSkill {
  name: string;
  /** Absolute path of its folder. */
  folder: string;
  hash: string;
}

/**
 * Hashes of what earlier versions shipped, by skill: an installed copy that equals one of them was never
 * edited and may be replaced. A release that changes a skill adds the hash of the version before.
 */
export const earlierSkills: Readonly<Record<string, readonly string[]>> = {};

/** The skills that ship with this version, sorted by name. */
export async function shippedSkills(): Promise<ShippedSkill[]> {
  const root = shippedFolder("skills");
  const names = (await storing("skills", () => readdir(root))).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const folder = join(root, name);
      return { name, folder, hash: (await hashOfTree(folder)) ?? "" };
    }),
  );
}

// A skill folder is small; anything larger is certainly not one that Writ shipped.
const maxFiles = 1_000;
const maxFileBytes = 5 * 1024 * 1024;

/** One hash over the paths and bytes of a folder; undefined when there is none. */
export async function hashOfTree(folder: string): Promise<string | undefined> {
  return storing("skills", async () => {
    if (!(await lstatOrNull(folder))) return undefined;
    const lines: string[] = [];
    for (const { path, kind } of await walkFolder(folder, { maxEntries: maxFiles })) {
      if (kind === "folder") continue;
      // A link counts by being one: no shipped skill has any.
      const bytes =
        kind === "file"
          ? await readOrNull(join(folder, path), { maxBytes: maxFileBytes, label: path })
          : null;
      lines.push(`${kind} ${path} ${bytes ? sha256(bytes) : ""}\n`);
    }
    return sha256(lines.join(""));
  });
}
