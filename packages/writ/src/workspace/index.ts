import type { Part } from "../contract/index.ts";

/** From workspace.yml and real git repositories to a composed workspace. */
export const part: Part = {
  name: "workspace",
  topics: async () => (await import("./guides.ts")).readGuides(),
  workflows: async () => [...(await import("./workflows.ts")).workflows],
  schemas: async () => (await import("./schemas.ts")).documentSchemas(),
  fileStores: async () => [(await import("./file-store.ts")).workspaceFiles, (await import("./init-store.ts")).initFiles],
  references: async () => (await import("./references.ts")).workspaceReferences,
  checks: async () => (await import("./doctor/checks.ts")).workspaceChecks,
};
