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
  slots: {
    reasoning: async () => (await import("./model/settings.ts")).ReasoningSettings,
    profiles: async () => (await import("./model/settings.ts")).ProfileTable,
  },
  schemas: async () => (await import("./surface/schemas.ts")).reasoningSchemas(),
  resources: [
    {
      uri: "writ://reasoning",
      description: "What is uncertain, who was asked, what was concluded and what is owed.",
      capability: "reasoning.status",
    },
    {
      uri: "writ://reasoning/advisors",
      description: "Who can be asked for an independent view, and why the others cannot.",
      capability: "reasoning.advisors",
    },
  ],
  topics: async () => (await import("./surface/guide.ts")).reasoningTopics(),
  workflows: async () => (await import("./surface/guide.ts")).reasoningWorkflows,
};
