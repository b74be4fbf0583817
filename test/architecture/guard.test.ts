import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { layers } from "../../scripts/layers.ts";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);
const oxlint = join(root, "node_modules/oxlint/bin/oxlint");

interface Finding {
  filename: string;
  code: string;
  message: string;
}

async function lint(cwd: string, folder: string): Promise<Finding[]> {
  const command = [oxlint, "--format=json", folder];
  const options = { cwd, maxBuffer: 64 * 1024 * 1024 };
  // It exits 1 on findings, which are the answer here.
  const { stdout } = await run(process.execPath, command, options).catch((error) => error);
  return JSON.parse(stdout).diagnostics;
}

/** A file of the cockpit, as seen from the program's package, which the others stand in. */
const cockpit = (file: string): string => `../cockpit/src/${file}`;

/** A source file each that breaks one rule, and how the linter names the breach. */
const planted: Record<string, { file: string; source: string; code: string; says?: string }> = {
  "a value import of a sibling domain": {
    file: "src/workspace/a1.ts",
    source: 'import { probe } from "../research/index.ts";\nexport const twice = probe;\n',
    code: "writ(layers)",
    says: "workspace may import",
  },
  "a type-only import of a sibling domain": {
    file: "src/workspace/a2.ts",
    source: 'import type { Probe } from "../research/index.ts";\nexport type Twice = Probe;\n',
    code: "writ(layers)",
  },
  "a type taken by import()": {
    file: "src/workspace/a3.ts",
    source: 'export type Twice = import("../research/index.ts").Probe;\n',
    code: "writ(layers)",
  },
  "a dynamic import of a sibling domain": {
    file: "src/workspace/deep/er/a4.ts",
    source: 'export const load = () => import("../../../research/index.ts");\n',
    code: "writ(layers)",
  },
  "a computed dynamic import": {
    file: "src/workspace/a5.ts",
    source: "export const load = (name: string): Promise<unknown> => import(name);\n",
    code: "writ(layers)",
  },
  "a re-export of a sibling domain": {
    file: "src/workspace/a6.ts",
    source: 'export { probe } from "../research/index.ts";\n',
    code: "writ(layers)",
  },
  "contract importing another module": {
    file: "src/contract/a7.ts",
    source: 'import type { Probe } from "../platform/index.ts";\nexport type Twice = Probe;\n',
    code: "writ(layers)",
  },
  "contract loading a package": {
    file: "src/contract/a8.ts",
    source: 'import { z } from "zod";\nexport const text = z.string();\n',
    code: "writ(layers)",
  },
  "a surface importing a domain": {
    file: "src/surfaces/cli/a9.ts",
    source: 'import { probe } from "../../research/index.ts";\nexport const twice = probe;\n',
    code: "writ(layers)",
  },
  "a domain importing the composition root": {
    file: "src/workspace/a10.ts",
    source: 'import { app } from "../app.ts";\nexport const twice = app;\n',
    code: "writ(layers)",
  },
  "a module in no row of the table": {
    file: "src/misc/a11.ts",
    source: 'import type { Probe } from "../contract/index.ts";\nexport type Twice = Probe;\n',
    code: "writ(layers)",
  },
  "a door that is bypassed": {
    file: "src/workspace/a12.ts",
    source: 'import { secret } from "../platform/inner.ts";\nexport const twice = secret;\n',
    code: "writ(layers)",
    says: "src/platform/index.ts",
  },
  "an SQL driver outside the store": {
    file: "src/workspace/a13.ts",
    source: 'import { DatabaseSync } from "node:sqlite";\nexport const open = DatabaseSync;\n',
    code: "writ(layers)",
  },
  "the HTTP framework outside its surface": {
    file: "src/surfaces/mcp/a14.ts",
    source: 'import { Hono } from "hono";\nexport const open = Hono;\n',
    code: "writ(layers)",
  },
  "React outside the cockpit": {
    file: "src/surfaces/http/a33.ts",
    source: 'import { useState } from "react";\nexport const state = useState;\n',
    code: "writ(layers)",
    says: "packages/cockpit",
  },
  "Node in the cockpit": {
    file: cockpit("a34.ts"),
    source: 'import { sep } from "node:path";\nexport const separator = sep;\n',
    code: "eslint(no-restricted-imports)",
  },
  "the program's sources in the cockpit": {
    file: cockpit("deep/a35.ts"),
    source: 'import type { Probe } from "../../../writ/src/contract/index.ts";\nexport type Twice = Probe;\n',
    code: "eslint(no-restricted-imports)",
  },
  "the process by import": {
    file: "src/workspace/a15.ts",
    source: 'import { env } from "node:process";\nexport const home = env.HOME;\n',
    code: "writ(layers)",
  },
  "the process as a global": {
    file: "src/workspace/a16.ts",
    source: "export const home = process.env.HOME;\n",
    code: "eslint(no-restricted-globals)",
  },
  "the console outside the CLI": {
    file: "src/workspace/a17.ts",
    source: 'export const speak = () => console.log("hello");\n',
    code: "eslint(no-console)",
  },
  "the current time in a domain": {
    file: "src/workspace/a18.ts",
    source: "export const now = () => new Date();\n",
    code: "writ(ambient)",
  },
  "Date.now in a domain": {
    file: "src/workspace/a19.ts",
    source: "export const now = () => Date.now();\n",
    code: "eslint(no-restricted-properties)",
  },
  "chance in a domain": {
    file: "src/workspace/a20.ts",
    source: 'import { randomUUID } from "node:crypto";\nexport const next = () => randomUUID();\n',
    code: "writ(ambient)",
  },
  "a floating promise": {
    file: "src/workspace/a21.ts",
    source: "const later = async (): Promise<number> => 1;\nexport function start(): void {\n  later();\n}\n",
    code: "typescript(no-floating-promises)",
  },
  "a switch with a hole": {
    file: "src/workspace/a22.ts",
    source:
      'export function of(word: "a" | "b"): number | undefined {\n  switch (word) {\n    case "a":\n      return 1;\n  }\n  return undefined;\n}\n',
    code: "typescript(switch-exhaustiveness-check)",
  },
  "something thrown that is no error": {
    file: "src/workspace/a23.ts",
    source: 'export function stop(): never {\n  throw "no";\n}\n',
    code: "typescript(only-throw-error)",
  },
  "a cycle": {
    file: "src/workspace/a24.ts",
    source: 'import { b } from "./a24-b.ts";\nexport const a = (): number => b();\n',
    code: "import(no-cycle)",
  },
  "a default export": {
    file: "src/workspace/a25.ts",
    source: "const one = 1;\nexport default one;\n",
    code: "import(no-default-export)",
  },
  "a barrel that is no door": {
    file: "src/workspace/deep/index.ts",
    source: 'export * from "./er/legal.ts";\n',
    code: "oxc(no-barrel-file)",
  },
  "a file over 400 lines": {
    file: "src/workspace/a27.ts",
    source: `export const one = 1;\n${"// line\n".repeat(400)}`,
    code: "eslint(max-lines)",
  },
  "four parameters": {
    file: "src/workspace/a28.ts",
    source: "export const sum = (a: number, b: number, c: number, d: number): number => a + b + c + d;\n",
    code: "eslint(max-params)",
  },
  "a mocked module": {
    file: "src/workspace/a29.test.ts",
    source:
      'import { expect, test, vi } from "vitest";\nvi.mock("./a1.ts");\ntest("a", () => expect(1).toBe(1));\n',
    code: "vitest(no-restricted-vi-methods)",
  },
  "a snapshot": {
    file: "src/workspace/a30.test.ts",
    source: 'import { expect, test } from "vitest";\ntest("a", () => expect(1).toMatchSnapshot());\n',
    code: "vitest(no-restricted-matchers)",
  },
  "a focused test": {
    file: "src/workspace/a31.test.ts",
    source: 'import { expect, test } from "vitest";\ntest.only("a", () => expect(1).toBe(1));\n',
    code: "vitest(no-focused-tests)",
  },
  "a test without an assertion": {
    file: "src/workspace/a32.test.ts",
    source: 'import { test } from "vitest";\ntest("a", () => {});\n',
    code: "vitest(expect-expect)",
  },
};

/** What the rules must let through. */
const legal: Record<string, string> = {
  "src/workspace/index.ts": 'export * from "./deep/er/legal.ts";\n',
  "src/workspace/deep/er/legal.ts":
    'import { probe } from "../../../platform/index.ts";\nexport const day = new Date(probe);\n',
  "src/workspace/a24-b.ts": 'import { a } from "./a24.ts";\nexport const b = (): number => a();\n',
  "src/workspace/capabilities/one.ts": "const one = 1;\nexport default one;\n",
  "src/workspace/legal.test.ts":
    'import { expect, test } from "vitest";\nimport { day } from "./deep/er/legal.ts";\ntest("a", () => expect(day).toEqual(new Date(1)));\n',
  "src/research/index.ts": "export type Probe = number;\nexport const probe = 1;\n",
  "src/platform/index.ts": 'export type Probe = number;\nexport { secret as probe } from "./inner.ts";\n',
  "src/platform/inner.ts": "export const secret = Date.now() + process.pid;\n",
  "src/platform/lock.ts": 'import { DatabaseSync } from "node:sqlite";\nexport const open = DatabaseSync;\n',
  "src/contract/index.ts": 'import type { z } from "zod";\nexport type Probe = z.ZodObject;\n',
  "src/surfaces/http/index.ts": 'import { Hono } from "hono";\nexport const open = Hono;\n',
  "src/app.ts": 'import { probe } from "./research/index.ts";\nexport const app = probe;\n',
  [cockpit("own.ts")]: 'import { useState } from "react";\nexport const state = useState;\n',
  "src/start.ts": 'import { app } from "./app/index.ts";\nprocess.exit(app);\n',
};

const placed = (file: string): string => posix.join("packages/writ", file);

describe("the linter on a tree with planted faults", () => {
  let tree: string;
  let findings: Finding[];

  beforeAll(async () => {
    tree = mkdtempSync(join(tmpdir(), "writ-guard-"));
    for (const shared of ["oxlint.config.ts", "tsconfig.json", "scripts/layers.ts", "scripts/lint"]) {
      cpSync(join(root, shared), join(tree, shared), { recursive: true });
    }
    const plant = (file: string, source: string): void => {
      const path = join(tree, "packages/writ", file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, source);
    };
    for (const one of ["writ", "cockpit"])
      cpSync(join(root, `packages/${one}/tsconfig.json`), join(tree, `packages/${one}/tsconfig.json`));
    for (const { file, source } of Object.values(planted)) plant(file, source);
    for (const [file, source] of Object.entries(legal)) plant(file, source);
    symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
    findings = await lint(tree, "packages");
  });

  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  test.each(Object.entries(planted))("catches %s", (_name, { file, code, says = "" }) => {
    const here = findings.filter((finding) => finding.filename.endsWith(placed(file)));
    expect(here).toContainEqual(expect.objectContaining({ code, message: expect.stringContaining(says) }));
  });

  test.each(Object.keys(legal))("lets %s through", (file) => {
    const cycle = "import(no-cycle)";
    const here = findings.filter(
      (finding) => finding.filename.endsWith(placed(file)) && finding.code !== cycle,
    );
    expect(here).toEqual([]);
  });
});

test("the linter looks at this tree, and at no less than it had when this was written", async () => {
  const { stdout } = await run(process.execPath, [oxlint, "--debug=files", "packages/writ/src"], {
    cwd: root,
  });
  const files = stdout.trim().split("\n");
  expect(files).toContain("packages/writ/src/contract/index.ts");
  expect(files.length).toBeGreaterThanOrEqual(120);
});

test("the table points one way: no module can reach itself", () => {
  const reach = (name: string): string[] => (layers[name] ?? []).flatMap((one) => [one, ...reach(one)]);
  const circular = Object.keys(layers).filter((name) => reach(name).includes(name));
  expect(circular).toEqual([]);
});
