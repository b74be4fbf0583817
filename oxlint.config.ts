import { defineConfig } from "oxlint";
import { sourceRoot } from "./scripts/layers.ts";

const src = (...globs: string[]): string[] => globs.map((glob) => `${sourceRoot}/${glob}`);
const tests = ["**/*.test.ts", "test/**/*.ts"];
const fromContext =
  "Take it from the context, or as an argument; only main.ts and platform touch the process.";

// Direction, doors and vendors are one rule of our own, `writ/layers`, which reads scripts/layers.ts
// itself: it also sees type-only, dynamic and `import("…").Type` imports, and messages name the way out.
export default defineConfig({
  plugins: ["eslint", "typescript", "unicorn", "oxc", "import", "vitest"],
  jsPlugins: ["./scripts/lint/plugin.ts"],
  options: { typeAware: true, reportUnusedDisableDirectives: "error" },
  ignorePatterns: ["**/node_modules/**", "**/dist/**", "**/build/**", "**/generated/**"],
  categories: { correctness: "error" },
  rules: {
    "writ/layers": "error",
    "writ/ambient": "error",
    "import/no-cycle": "error",
    "import/no-default-export": "error",
    "oxc/no-barrel-file": ["error", { threshold: 0 }],
    "eslint/no-console": "error",
    "eslint/no-restricted-globals": [
      "error",
      {
        globals: [
          { name: "process", message: fromContext },
          { name: "global", message: "Write globalThis, or better: take it as an argument." },
        ],
        checkGlobalObject: true,
      },
    ],
    "eslint/no-restricted-properties": [
      "error",
      { object: "Math", property: "random", message: "Chance comes from platform, as an argument." },
      { object: "Date", property: "now", message: "The current time comes from a Clock, as an argument." },
    ],
    "unicorn/no-process-exit": "error",
    "eslint/max-lines": ["error", { max: 400 }],
    "eslint/max-lines-per-function": ["error", { max: 60 }],
    "eslint/max-params": ["error", { max: 3 }],
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/switch-exhaustiveness-check": "error",
    "typescript/only-throw-error": "error",
    "typescript/no-explicit-any": "error",
    // Each of these is right about code that is not ours: hostile text is found by its control characters,
    // unknown values are rendered, optional work is awaited together, and no method here uses `this`.
    "eslint/no-control-regex": "off",
    "typescript/no-base-to-string": "off",
    "typescript/restrict-template-expressions": "off",
    "typescript/await-thenable": "off",
    "typescript/unbound-method": "off",
    // A second argument says which row of a table failed.
    "vitest/valid-expect": ["error", { maxArgs: 2 }],
    "vitest/no-focused-tests": "error",
    "vitest/no-disabled-tests": "error",
    "vitest/expect-expect": ["error", { assertFunctionNames: ["expect", "expect*", "assert*", "fc.assert"] }],
    "vitest/no-restricted-vi-methods": [
      "error",
      {
        mock: "Real git, real SQLite, real files: hand the part another argument instead.",
        doMock: "Hand the part another argument instead.",
        spyOn: "Assert on what the caller sees.",
        useFakeTimers: "Hand the part a Clock.",
      },
    ],
    "vitest/no-restricted-matchers": [
      "error",
      {
        toMatchSnapshot: "Assert facts, or write a golden file.",
        toMatchFileSnapshot: "Write a golden file.",
      },
    ],
  },
  overrides: [
    { files: src("*/index.ts", "surfaces/*/index.ts"), rules: { "oxc/no-barrel-file": "off" } },
    // A capability's file is loaded by its id and holds nothing else.
    { files: src("*/capabilities/**"), rules: { "import/no-default-export": "off" } },
    { files: src("surfaces/cli/**"), rules: { "eslint/no-console": "off" } },
    {
      files: src("main.ts", "start.ts", "heavy.ts", "app/**", "platform/**"),
      rules: { "eslint/no-restricted-globals": "off", "eslint/no-restricted-properties": "off" },
    },
    { files: src("start.ts"), rules: { "unicorn/no-process-exit": "off" } },
    {
      files: ["packages/cockpit/src/**"],
      rules: {
        "eslint/no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                regex: "^node:|(^|/)writ/",
                message: "The cockpit is a client of the HTTP API: it imports React and its own files.",
              },
            ],
          },
        ],
      },
    },
    {
      files: [...tests, "scripts/**", "bench/**", "packages/writ/bin/**", "*.config.ts"],
      rules: {
        "eslint/no-console": "off",
        "eslint/no-restricted-globals": "off",
        "eslint/no-restricted-properties": "off",
        "unicorn/no-process-exit": "off",
      },
    },
    // The size of a test is the size of its story; a table of cases may be long.
    { files: tests, rules: { "eslint/max-lines-per-function": "off", "eslint/max-lines": "off" } },
    // Tools that are configured by a default export.
    { files: ["*.config.ts", "scripts/lint/plugin.ts"], rules: { "import/no-default-export": "off" } },
  ],
});
