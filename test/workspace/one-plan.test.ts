import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import bootstrap from "../../packages/writ/src/workspace/capabilities/bootstrap.ts";
import diff from "../../packages/writ/src/workspace/capabilities/diff.ts";
import explain from "../../packages/writ/src/workspace/capabilities/explain.ts";
import status from "../../packages/writ/src/workspace/capabilities/status.ts";
import { composedApp, type Composed } from "./composed.ts";

interface Change {
  path: string;
  action: string;
}

interface Drift {
  path: string;
  kind: string;
}

/** How status names a file that explain finds in such a state. */
const kindOf: Record<string, RegExp> = {
  edited: /edited$/,
  missing: /^missing$/,
  conflict: /^conflict$/,
  user: /^extra$/,
};

const composed = [
  ".agents/rules/r1.md",
  ".agents/skills/s1/SKILL.md",
  ".agents/workflows/w1.md",
  "AGENTS.md",
];
const edit = fc.record({
  path: fc.constantFrom(...composed, ".agents/rules/mine.md", "CLAUDE.md"),
  text: fc.option(fc.constantFrom("MINE\n", "RA\n", "", "R1\n"), { nil: undefined }),
});

function apply(root: string, { path, text }: { path: string; text?: string | undefined }): void {
  const at = join(root, path);
  if (text === undefined) return rmSync(at, { force: true });
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(at, text);
}

const changesOf = (data: Record<string, unknown>): string[] =>
  (data.changes as Change[]).map(({ path, action }) => `${action} ${path}`).sort();

interface Asking {
  id: string;
  dryRun?: boolean;
}

async function asked(it: Composed, { id, dryRun = false }: Asking): Promise<Record<string, unknown>> {
  const { error, data } = await it.call(id, {}, { dryRun });
  expect(error).toBeNull();
  return data;
}

test("WS-4: after any edits, what diff, status, explain and a dry run tell is what the run then does", async () => {
  await using it = await composedApp({ capabilities: [bootstrap, diff, explain, status] });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
      for (const one of edits) apply(it.root, one);
      const foreseen = await asked(it, { id: "workspace.diff" });
      const dry = await asked(it, { id: "workspace.bootstrap", dryRun: true });
      const before = await asked(it, { id: "workspace.status" });
      const states = new Map<string, string>();
      // A context file has two regions with a state each; explain tells the one that is generated.
      for (const { path } of edits.filter(({ path }) => path.startsWith(".agents/"))) {
        const { data, error } = await it.call("explain", { ref: path });
        if (!error && data.state !== "clean") states.set(path, data.state as string);
      }
      const done = await asked(it, { id: "workspace.bootstrap" });
      expect(changesOf(dry)).toEqual(changesOf(done));
      expect(changesOf(foreseen)).toEqual(changesOf(done));
      expect(dry.edited).toEqual(done.edited);
      const drift = new Map((before.files_drift as Drift[]).map(({ path, kind }) => [path, kind]));
      for (const [path, state] of states)
        expect(drift.get(path), path).toMatch(kindOf[state] ?? "no such state");
      for (const { path } of done.changes as Change[]) expect(drift.has(path), path).toBe(true);
      for (const path of done.edited as string[]) expect(drift.get(path), path).toMatch(/edited$/);
    }),
    { numRuns: 8 },
  );
}, 60_000);
