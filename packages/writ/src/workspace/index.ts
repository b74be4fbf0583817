import type { Part } from "../contract/index.ts";

/** From workspace.yml and real git repositories to a composed workspace. */
export const part: Part = {
  name: "workspace",
  topics: async () => (await import("./shipped/guides.ts")).readGuides(),
  workflows: async () => [...(await import("./shipped/workflows.ts")).workflows],
  schemas: async (slots) => (await import("./declare/schemas.ts")).documentSchemas(slots),
  blocks: async () => (await import("./gather/read-block.ts")).readBlock,
  fileStores: async () => [
    (await import("./swap/file-store.ts")).workspaceFiles,
    (await import("./init/init-store.ts")).initFiles,
  ],
  references: async () => (await import("./references.ts")).workspaceReferences,
  checks: async () => (await import("./doctor/checks.ts")).workspaceChecks,
};

/** The workspace's context as resources. */
export async function listContext(root: string) {
  return (await import("./resources.ts")).listContext(root);
}

/** The text of one of them, or undefined. */
export async function readContext(root: string, path: string) {
  return (await import("./resources.ts")).readContext(root, path);
}
