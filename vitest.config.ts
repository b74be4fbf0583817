import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Tests wait for git, databases and children of theirs: a core that is left free stays idle.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "packages/writ/src/**/*.test.ts",
            "test/*.test.ts",
            "test/{contract,architecture,golden,spine,support,workspace,research,reasoning}/**/*.test.ts",
          ],
          setupFiles: "test/support/own-network.ts",
          // A real git or a real PostgreSQL on a busy machine is slow without being wrong.
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/{e2e,cases}/**/*.test.ts"],
          globalSetup: "test/e2e/install.ts",
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          globalSetup: "test/browser/cockpit.ts",
          // A browser on a busy machine is slow without being wrong.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
