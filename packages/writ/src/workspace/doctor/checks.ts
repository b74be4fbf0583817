import type { Checks } from "../../contract/index.ts";

export const workspaceChecks: Checks = { ids: [], run: async () => [] };
