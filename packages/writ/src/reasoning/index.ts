import type { Part } from "../contract/index.ts";

/** From an uncertainty to a conclusion: what deserves an independent look, who was asked, and what came of it. */
export const part: Part = {
  name: "reasoning",
  fileStores: async () => [
    (await import("./store/file-store.ts")).reasoningFiles,
    (await import("./tasks/task-store.ts")).taskFiles,
  ],
  references: async () => (await import("./surface/references.ts")).reasoningReferences,
  checks: async () => (await import("./surface/doctor.ts")).reasoningChecks,
  status: async () => (await import("./surface/status-block.ts")).reasoningBlock,
  schemas: async () => (await import("./surface/schemas.ts")).reasoningSchemas(),
  topics: async () => (await import("./surface/guide.ts")).reasoningTopics(),
  workflows: async () => (await import("./surface/guide.ts")).reasoningWorkflows,
};
