import { join } from "node:path";
import type { Resource } from "../contract/index.ts";
import { lstatOrNull, readOrNull, requireNoLinks, storing } from "../platform/index.ts";
import { readApplied, type Applied } from "./swap/applied.ts";
import { overlayLabel } from "./gather/gather-overlay.ts";
import { indexPath } from "./compose/index-file.ts";

// A context file that Writ parses is at most as large; nothing here is larger.
const maxBytes = 2 * 1024 * 1024;
const mimeType = "text/markdown";

/** The workspace's context as resources: its context files, the index, and every shared rule; nothing of the overlay. */
export async function listContext(root: string): Promise<Resource[]> {
  const { applied } = await readApplied(root);
  if (!applied) return [];
  const listed = contextOf(applied);
  const standing = await Promise.all(listed.map(({ path }) => lstatOrNull(join(root, path))));
  return listed
    .filter((_one, at) => standing[at]?.isFile())
    .map(({ path, description }) => ({ uri: `file:${path}`, name: path, description, mimeType }));
}

/** The text of one of these, or undefined: nothing else of the workspace is read here. */
export async function readContext(
  root: string,
  path: string,
): Promise<{ mimeType: string; text: string } | undefined> {
  const { applied } = await readApplied(root);
  if (!applied || !contextOf(applied).some((one) => one.path === path)) return undefined;
  await requireNoLinks(root, path);
  const bytes = await storing(path, () => readOrNull(join(root, path), { maxBytes, label: path }));
  return bytes ? { mimeType, text: bytes.toString("utf8") } : undefined;
}

function contextOf({ files, regions, context }: Applied): { path: string; description: string }[] {
  const canonical = context?.canonical;
  const first = regions.filter(({ path }) => path === canonical);
  const others = regions.filter(({ path }) => path !== canonical);
  const index = files.filter(({ path }) => path === indexPath);
  const rules = files.filter(
    ({ path, kind, stack }) => kind === "copy" && path.startsWith(".agents/rules/") && stack !== overlayLabel,
  );
  return [
    ...first.map(({ path }) => ({ path, description: "The context file that every agent reads first." })),
    ...others.map(({ path }) => ({
      path,
      description: "The same context, for clients that read this file.",
    })),
    ...index.map(({ path }) => ({ path, description: "Every rule, skill and workflow of this workspace." })),
    ...rules.map(({ path, stack }) => ({ path, description: `A rule of the stack ${stack ?? ""}.` })),
  ];
}
