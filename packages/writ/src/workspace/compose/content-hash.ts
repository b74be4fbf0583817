import { sha256Hex } from "../../platform/index.ts";
import { compareBytes, type Asset } from "./assets.ts";

/** Whether a file of a stack is composed; `.gitkeep` and `.DS_Store` are nobody's content. */
export function isComposed(path: string): boolean {
  return /^(?:rules|skills|workflows|agents)\//.test(path) && !/(?:^|\/)(?:\.gitkeep|\.DS_Store)$/.test(path);
}

/** The lock's `content` of a stack, from the files that count. */
export function hashOfContent(files: readonly Pick<Asset, "path" | "mode" | "sha256">[]): string {
  const lines = files
    .toSorted((a, b) => compareBytes(a.path, b.path))
    .map(({ mode, sha256, path }) => `${mode} ${sha256} ${path}\n`);
  return `sha256:${sha256Hex(lines.join(""))}`;
}
