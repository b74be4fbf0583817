import type { AgentContext } from "../../compose/context-plan.ts";

/** One entry of a stack's `repos`. */
export interface StackRepo {
  name: string;
  /** Absent: the stack's own. */
  org?: string;
  /** Absent: the remote's own default branch. */
  branchDefault?: string;
  path: string;
  line: number;
}

/** How a stack's module names become repositories. */
export interface ModuleConvention {
  /** Absent: the org of the stack's repository. */
  defaultOrg?: string;
  pathPrefix: string;
  branchDefault?: string;
  repoPattern: string;
}

export interface StackTemplate {
  name: string;
  /** `<org>/<repo>/<file path>`. */
  path: string;
  description?: string;
}

/** awac.yml of a stack, normalised; an absent file is a stack with assets only. */
export interface StackManifest {
  product?: string;
  scope?: string;
  repos: StackRepo[];
  moduleConvention?: ModuleConvention;
  shortcuts: Record<string, string>;
  templates: StackTemplate[];
  agentContext?: AgentContext;
  orgScaffold?: Record<string, unknown>;
}
