import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { FixtureF } from "../../../../test/fixtures/fixture-f.ts";
import { testContext, type TestContext, type TestLedger } from "../../../../test/support/context.ts";
import bootstrapCapability from "./capabilities/bootstrap.ts";
import syncCapability from "./capabilities/sync.ts";
import { workspaceFiles } from "./file-store.ts";
import type { FaultPoint } from "./faults.ts";
import { requestOf } from "./run-input.ts";
import { runWorkspace } from "./run.ts";
import type { RunData } from "./run-schema.ts";

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

export function contextFor(f: Where, root: string, options: RunOptions & { capability?: string } = {}): TestContext {
  return testContext({ root, env: f.env, stores: [workspaceFiles], ...options });
}

/** Runs bootstrap as its surface would, with input as a caller writes it. */
export async function bootstrap(f: Where, root: string, input: Record<string, unknown> = {}, options: RunOptions = {}): Promise<Ran> {
  const ctx = contextFor(f, root, options);
  const data = await bootstrapCapability.run(ctx, bootstrapCapability.input.parse(input));
  bootstrapCapability.output.parse(data);
  return { data: data as RunData, ctx, warned: codes(ctx) };
}

export async function sync(f: Where, root: string, input: Record<string, unknown> = {}, options: RunOptions = {}): Promise<Ran> {
  const ctx = contextFor(f, root, { ...options, capability: "workspace.sync" });
  const data = await syncCapability.run(ctx, syncCapability.input.parse(input));
  syncCapability.output.parse(data);
  return { data: data as unknown as RunData, ctx, warned: codes(ctx) };
}

/** Bootstrap with a fault at some moment. */
export async function bootstrapWith(f: Where, root: string, fault: FaultPoint, input: Record<string, unknown> = {}): Promise<RunData> {
  const ctx = contextFor(f, root);
  const given = bootstrapCapability.input.parse(input);
  return runWorkspace(ctx, requestOf(given, { update: given.update, stacks: given.stack }), { fault });
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
        const hash = createHash("sha256").update(readFileSync(join(folder, inner))).digest("hex");
        found[inner] = `${(stat.mode & 0o777).toString(8)} ${hash}${time}`;
      }
    }
  };
  walk("");
  return found;
}
