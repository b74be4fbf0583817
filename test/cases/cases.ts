import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { type FixtureF, makeFixtureF, makeWorkspaceW } from "../fixtures/fixture-f.ts";
import { type Ran, writJson } from "../e2e/harness.ts";

/** The fixture, its workspace W, and the installed program run in it. */
export interface Case extends Disposable {
  f: FixtureF;
  root: string;
  at(path: string): string;
  read(path: string): string;
  /** Runs `writ … --json` in the workspace, or where it is told. */
  run(args: string, where?: { cwd?: string; env?: Record<string, string> }): Promise<Ran>;
}

/** Makes the fixture and the workspace; gone at the end of the block. */
export function makeCase(): Case {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "writ-case-")));
  const f = makeFixtureF(folder);
  const root = makeWorkspaceW(f);
  const at = (path: string): string => join(root, path);
  return {
    f,
    root,
    at,
    read: (path) => readFileSync(at(path), "utf8"),
    run: (args, { cwd = root, env = {} } = {}) =>
      writJson(args.split(" "), { cwd, env: { ...f.env, ...env } }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A case whose workspace is composed. */
export async function composedCase(): Promise<Case> {
  const it = makeCase();
  succeeded(await it.run("bootstrap"));
  return it;
}

const editable = "<!-- @awac:editable-start -->\n";

/** Writes notes between the editable markers of a context file. */
export function putNotes(it: Case, path: string, notes: string): void {
  writeFileSync(
    it.at(path),
    it.read(path).replace(editable, () => `${editable}${notes}`),
  );
}

/** Expects success, everywhere the same. */
export function succeeded({ envelope, code }: Ran): void {
  expect({ error: envelope.error, ok: envelope.ok, exit: envelope.exit_code, code }).toEqual({
    error: null,
    ok: true,
    exit: 0,
    code: 0,
  });
}

/** Expects one error: all seven fields, and one exit code everywhere. */
export function failed({ envelope, code }: Ran, expected: string): void {
  expect(envelope.ok).toBe(false);
  expect(envelope.error).toMatchObject({
    code: expected,
    category: expect.any(String),
    message: expect.stringMatching(/./),
    cause: expect.stringMatching(/./),
    remediation: expect.stringMatching(/./),
    retryable: expect.any(Boolean),
    exit_code: code,
  });
  expect(envelope.exit_code).toBe(code);
  expect(code).toBeGreaterThan(0);
}
