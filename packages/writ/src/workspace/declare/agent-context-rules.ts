import type { AgentContext } from "../compose/context-plan.ts";
import { checkClonePath, foldedPath, parsePath, pathOrFault } from "./paths.ts";
import type { Fault } from "./problem.ts";
import { isMapping } from "./schema-walk.ts";

interface NamedPath {
  pointer: string;
  path: string;
  /** A folder that gets one file a rule. */
  folder: boolean;
}

/** The context files a block names, as far as each has a valid path. */
export function contextPaths(block: unknown, pointer: string): NamedPath[] {
  if (!isMapping(block)) return [];
  const named: { pointer: string; value: unknown }[] = [
    { pointer: `${pointer}/canonical`, value: block["canonical"] },
    ...list(block["mirrors"]).map((value, at) => ({ pointer: `${pointer}/mirrors/${at}`, value })),
    ...list(block["extras"]).map((value, at) => ({ pointer: `${pointer}/extras/${at}`, value })),
  ];
  return named.flatMap(({ pointer: at, value }) => {
    const text = isMapping(value) ? value["path"] : value;
    const path = typeof text === "string" ? parsePath(text).value : undefined;
    const folder = isMapping(value) && value["format"] !== undefined;
    return path === undefined ? [] : [{ pointer: isMapping(value) ? `${at}/path` : at, path, folder }];
  });
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A context file named twice, one inside another, or one that would stand where Writ or git keeps its own. */
export function contextFaults(block: unknown, pointer: string): (Fault & { pointer: string })[] {
  const seen = new Map<string, string>();
  const faults: (Fault & { pointer: string })[] = [];
  const files: string[] = [];
  for (const { pointer: at, path, folder } of contextPaths(block, pointer)) {
    const first = seen.get(foldedPath(path));
    if (first !== undefined) {
      faults.push({
        pointer: at,
        kind: "duplicate",
        message: `${path} is named twice, first at ${first}`,
        hint: "keep one",
      });
      continue;
    }
    seen.set(foldedPath(path), at);
    const { fault } = pathOrFault(path, checkClonePath(path, files));
    if (fault) faults.push({ pointer: at, ...fault });
    if (!folder) files.push(path);
  }
  return faults;
}

/** The block with every path in its one spelling. */
export function cleanContext(block: AgentContext): AgentContext {
  const clean = (path: string) => parsePath(path).value ?? path;
  return {
    ...block,
    ...(block.canonical !== undefined && { canonical: clean(block.canonical) }),
    ...(block.mirrors && {
      mirrors: block.mirrors.map((mirror) =>
        typeof mirror === "string" ? clean(mirror) : { ...mirror, path: clean(mirror.path) },
      ),
    }),
    ...(block.extras && { extras: block.extras.map((extra) => ({ ...extra, path: clean(extra.path) })) }),
  };
}
