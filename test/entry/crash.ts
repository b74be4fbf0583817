/**
 * An entry that is never published: bootstraps a workspace and kills its own process at a named moment, so
 * that tests can look at what a crash leaves. The program itself has no such switch.
 *
 * node crash.ts <root> <ledger> <moment> <nth> <input as JSON>
 */
import { workspaceFiles } from "../../packages/writ/src/workspace/swap/file-store.ts";
import { requestOf } from "../../packages/writ/src/workspace/run/run-request.ts";
import { runWorkspace } from "../../packages/writ/src/workspace/run/run.ts";
import bootstrap from "../../packages/writ/src/workspace/capabilities/bootstrap.ts";
import { fileLedger, testContext } from "../support/context.ts";

const [root = "", ledger = "", moment = "", nth = "1", given = "{}"] = process.argv.slice(2);
const input = (await bootstrap.input()).parse(JSON.parse(given));
const ctx = testContext({ root, env: process.env, stores: [workspaceFiles], ledger: fileLedger(ledger) });
let left = Number(nth);

const fault = (name: string): void => {
  if (name === moment && --left === 0) process.kill(process.pid, "SIGKILL");
};

const request = requestOf(ctx, input, { update: input.update, stacks: input.stack });
const data = await runWorkspace(ctx, request, { fault });
process.stdout.write(`${JSON.stringify({ changed: data.changed })}\n`);
