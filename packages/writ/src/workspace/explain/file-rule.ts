import type { AppliedFile } from "../swap/applied.ts";
import { overlayLabel } from "../gather/gather-overlay.ts";
import type { PlannedFile } from "../changeset/file-changeset.ts";

/** The rule of composition that put a file where it is. */
export type FileRule =
  | "layer"
  | "override"
  | "overlay"
  | "metadata"
  | "context"
  | "mirror"
  | "extra"
  | "derived"
  | "index"
  | "link"
  | "ignore_block"
  | "clone"
  | "user";

/** Each rule in words, for people. */
export const ruleWords: Record<FileRule, string> = {
  layer: "one stack provides it",
  override: "a later stack wins",
  overlay: "the private overlay wins over every stack",
  metadata: "a copy of a stack's own file",
  context: "the canonical context file: Writ owns the generated region, you own the rest",
  mirror: "a mirror of the canonical context file",
  extra: "a copy of the context for one client",
  derived: "made by Writ from something else",
  index: "the index of what the stacks provide",
  link: "a link to where the text already is",
  ignore_block: "Writ owns its block, you own the rest",
  clone: "a product repository; Writ never changes what is in it",
  user: "yours: Writ neither wrote it nor changes it",
};

interface RuleFacts {
  path: string;
  kind: AppliedFile["kind"] | "context";
  canonical?: string;
  /** The stack that provides it now or provided it last. */
  stack?: string;
  /** Whether it hides another layer's file. */
  hides: boolean;
}

/** Which rule a composed file follows. */
export function ruleOf({ path, kind, canonical, stack, hides }: RuleFacts): FileRule {
  switch (kind) {
    case "context":
      return path === canonical ? "context" : "mirror";
    case "block":
      return "ignore_block";
    case "copy":
      if (path.startsWith(".stack/")) return "metadata";
      if (stack === overlayLabel) return "overlay";
      return hides ? "override" : "layer";
    case "derived":
    case "extra":
    case "index":
    case "link":
      return kind;
  }
}

const promotableStates = new Set<PlannedFile["state"]>(["edited", "conflict", "orphan_edited"]);
const userAssets = /^\.agents\/(?:rules|skills|workflows|agents)\//;

/** Whether the file's text could be sent back to a stack. */
export function isPromotable(file: {
  path: string;
  kind: string;
  state: string;
  stack?: string;
  local: boolean;
}): boolean {
  const { path, kind, state, stack, local } = file;
  if (local) return false;
  if (kind === "user") return userAssets.test(path);
  if (kind !== "copy" || stack === undefined || stack === overlayLabel) return false;
  return promotableStates.has(state as PlannedFile["state"]);
}
