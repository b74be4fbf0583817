import type { Part } from "../contract/index.ts";

/** From a search equation to a curated library of literature and its networks. */
export const part: Part = {
  name: "research",
  fileStores: async () => [(await import("./library/file-store.ts")).libraryFiles],
  references: async () => (await import("./references.ts")).researchReferences,
  checks: async () => (await import("./validate/checks.ts")).researchChecks,
  status: async () => (await import("./status/block.ts")).researchBlock,
  beginnings: { "writ/research": async () => (await import("./library/beginning.ts")).libraryBeginning },
  schemas: async () => (await import("./schemas.ts")).researchSchemas(),
  topics: async () => (await import("./guide.ts")).researchTopics,
  workflows: async () => [...(await import("./guide.ts")).researchWorkflows],
};
