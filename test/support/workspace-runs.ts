import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { FixtureF } from "../fixtures/fixture-f.ts";
import { testContext, type TestContext, type TestLedger } from "./context.ts";
import bootstrapCapability from "../../packages/writ/src/workspace/capabilities/bootstrap.ts";
import syncCapability from "../../packages/writ/src/workspace/capabilities/sync.ts";
import { workspaceFiles } from "../../packages/writ/src/workspace/swap/file-store.ts";
import type { FaultPoint } from "../../packages/writ/src/workspace/swap/faults.ts";
import { requestOf } from "../../packages/writ/src/workspace/run/run-request.ts";
import { runWorkspace } from "../../packages/writ/src/workspace/run/run.ts";
import type { RunData } from "../../packages/writ/src/workspace/run/run-schema.ts";

type Where = Pick<FixtureF, "env">;
export interface Ran {
  data: RunData;
  ctx: TestContext;
  /** Codes of the warnings, sorted. */
  warned: string[];
}

export interface RunOptions {
  dryRun?: boolean;
  ledger?: TestLedger;
}

/** A run of a capability with input as a caller writes it. */
type Run = (
  f: Where,
  root: string,
  ...rest: [input?: Record<string, unknown>, options?: RunOptions]
) => Promise<Ran>;

export function contextFor(
  f: Where,
  root: string,
  options: RunOptions & { capability?: string } = {},
): TestContext {
  return testContext({ root, env: f.env, stores: [workspaceFiles], ...options });
}

/** Runs bootstrap as its surface would, with input as a caller writes it. */
export const bootstrap: Run = async (f, root, ...[input = {}, options = {}]) => {
  const ctx = contextFor(f, root, options);
  const data = await bootstrapCapability.run(ctx, (await bootstrapCapability.input()).parse(input));
  (await bootstrapCapability.output()).parse(data);
  return { data: data as RunData, ctx, warned: codes(ctx) };
};

export const sync: Run = async (f, root, ...[input = {}, options = {}]) => {
  const ctx = contextFor(f, root, { ...options, capability: "workspace.sync" });
  const data = await syncCapability.run(ctx, (await syncCapability.input()).parse(input));
  (await syncCapability.output()).parse(data);
  return { data: data as unknown as RunData, ctx, warned: codes(ctx) };
};

/** An update during which something happens at some moment. */
export async function updateDuring(f: Where, root: string, fault: FaultPoint): Promise<RunData> {
  const ctx = contextFor(f, root);
  const given = (await bootstrapCapability.input()).parse({ update: true });
  return runWorkspace(ctx, requestOf(ctx, given, { update: given.update, stacks: given.stack }), { fault });
}

export function codes(ctx: TestContext): string[] {
  return [...new Set(ctx.warnings.map(({ code }) => code))].sort();
}

/** Every path of a folder with its type, mode, content and modification time. */
export function snapshot(folder: string, { times = true }: { times?: boolean } = {}): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (path: string): void => {
    for (const name of readdirSync(join(folder, path)).sort()) {
      const inner = path === "" ? name : `${path}/${name}`;
      const stat = lstatSync(join(folder, inner));
      const time = times ? ` ${stat.mtimeMs}` : "";
      if (stat.isSymbolicLink()) found[inner] = `link ${readlinkSync(join(folder, inner))}`;
      else if (stat.isDirectory()) walk(inner);
      else {
        const hash = createHash("sha256")
          .update(readFileSync(join(folder, inner)))
          .digest("hex");
        found[inner] = `${(stat.mode & 0o777).toString(8)} ${hash}${time}`;
      }
    }
  };
  walk("");
  return found;
}
