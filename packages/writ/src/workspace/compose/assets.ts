export { compareBytes } from "../../platform/index.ts";
import type { FrontMatterState } from "./front-matter.ts";
import type { HiddenText } from "./hidden-text.ts";
import type { SkillProblem } from "./skills.ts";

/** Where an asset's bytes come from. */
export interface Origin {
  /** The stack's label, or "overlay". */
  stack: string;
  repo?: string;
  ref?: string;
  commit?: string;
  /** Path inside the repository, for the overlay with its path_in_repo. */
  source: string;
  /** The git object of the bytes. */
  oid?: string;
}

/** What an asset's text says; read once from its bytes by `inspectAsset`, so that no bytes need be held. */
export interface AssetFacts {
  frontMatter?: { state: FrontMatterState; message?: string };
  name?: string;
  description?: string;
  /** Of a rule. */
  trigger?: Trigger;
  globs?: string[];
  /** Byte at which the body begins, behind the front matter. */
  bodyStart?: number;
  /** Of a SKILL.md. */
  problems?: SkillProblem[];
  hidden?: HiddenText[];
  /** The bytes are a pointer of git's large file storage. */
  pointer?: true;
}

export type Trigger = "always_on" | "glob" | "model_decision" | "manual";

/** One file of a stack. */
export interface Asset {
  /** In a layer the path inside the stack (`rules/r1.md`); in a composition the path in the workspace. */
  path: string;
  mode: "100644" | "100755";
  sha256: string;
  size: number;
  origin: Origin;
  facts?: AssetFacts;
}

/** One stack's contribution. */
export interface Layer {
  /** The stack's id, or "overlay". */
  stack: string;
  overlay?: true;
  product?: string;
  repoName: string;
  orgName: string;
  /** Everything under rules/, skills/, workflows/ and agents/; what is not composed is dropped by `composeLayers`. */
  assets: Asset[];
  /** README.md, awac.yml, deploy.yml, devvault.yml at the stack's root, where present. */
  metadata: Asset[];
}
