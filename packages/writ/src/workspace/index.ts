import type { Part } from "../contract/index.ts";

/** From workspace.yml and real git repositories to a composed workspace. */
export const part: Part = {
  name: "workspace",
  references: async () => (await import("./references.ts")).workspaceReferences,
  checks: async () => (await import("./doctor/checks.ts")).workspaceChecks,
};
