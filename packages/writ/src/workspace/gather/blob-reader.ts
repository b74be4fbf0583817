import { fail } from "../../contract/index.ts";
import type { ReadBlobs } from "../swap/drafts.ts";
import { sha256 } from "../swap/hashes.ts";
import type { Cache } from "../sources/cache.ts";
import { readTogether, type SourceFile } from "../sources/source-tree.ts";
import type { OpenedStack } from "./stack-layer.ts";

/** Reads bytes of opened stacks again, by git object or by path, when they are to be written. */
export function blobReader(cache: Pick<Cache, "git" | "folder">, stacks: readonly OpenedStack[]): ReadBlobs {
  const byLabel = new Map(stacks.map((stack) => [stack.label, stack]));
  const together: ReadBlobs["together"] = async function* (wanted) {
    const apart: { stack: OpenedStack; files: SourceFile[] }[] = [];
    for (const [label, keys] of wanted) {
      const stack = byLabel.get(label);
      if (!stack) throw new TypeError(`no stack ${label} was opened`);
      const byKey = new Map([...stack.files.values()].map((file) => [file.oid ?? file.path, file]));
      const files: SourceFile[] = [];
      for (const key of keys) {
        const file = byKey.get(key);
        const bytes = stack.held.get(key);
        if (file && bytes) yield { stack: label, key, bytes };
        else if (file) files.push(file);
      }
      apart.push({ stack, files });
    }
    const trees = apart.map(({ stack: { tree }, files }) => ({ tree, files }));
    for await (const { at, file, bytes } of readTogether(cache, trees)) {
      const stack = apart[at]?.stack;
      const key = file.oid ?? file.path;
      if (!stack || sha256(bytes) !== stack.hashes.get(key))
        throw changedSince(stack?.label ?? "", file.path);
      yield { stack: stack.label, key, bytes };
    }
  };
  const one = async function* (stack: string, keys: readonly string[]) {
    for await (const { key, bytes } of together(new Map([[stack, keys]]))) yield { key, bytes };
  };
  return Object.assign(one, { together });
}

function changedSince(label: string, path: string) {
  return fail("E_INTEGRITY", {
    message: `The content of ${label} changed while it was composed; nothing was changed.`,
    cause: `${path} is not what was read of it before.`,
    remediation: "A cached repository may be damaged. Remove it and fetch again: writ cache prune --all",
    details: { stack: label, path },
  });
}
