import { join } from "node:path";
import type { Context, Serving } from "../contract/index.ts";
import { lstatOrNull } from "../platform/index.ts";
import { listenOn } from "./listen-on.ts";
import type { Running } from "./running.ts";
import { requireWorkspace, serveWorkspace } from "./serving.ts";

const exampleName = "writ-example";

/** Serves a workspace with everything in one process; makes the example workspace first where it is asked for. */
export async function up(
  ctx: Context,
  input: { port?: number | undefined; example: boolean; open: boolean },
): Promise<Running & { already: boolean; changed: boolean; reason?: string }> {
  // On this machine only, whatever WRIT_HOST says.
  const at = listenOn(ctx.settings, { host: "127.0.0.1", port: input.port });
  if (ctx.dryRun) {
    const url = `http://${at.host}:${at.port}`;
    return { url, mcp_url: `${url}/mcp`, pid: 0, already: false, changed: true };
  }
  if (input.example) await enterExample(ctx);
  const root = requireWorkspace(ctx);
  const wanted = { ...at, public: false, allowedHosts: [], trustedProxies: [] };
  let token: { id: string } | undefined;
  try {
    const ran = await serveWorkspace(ctx, wanted, async (serving) => {
      token = await announce(ctx, { serving, root, ...input });
    });
    const other = ran.already && !!input.port && new URL(ran.url).port !== String(input.port);
    const reason = `This workspace is up at ${ran.url}${other ? `, and keeps that port; stop it to serve on ${input.port}` : ""}.`;
    return { ...ran, changed: !ran.already, ...(ran.already && { reason }) };
  } finally {
    // A token lives as long as the server it was made for, however that ended.
    if (token) await ctx.invoke("token.revoke", { id: token.id });
  }
}

/** Makes ./writ-example from what ships with Writ, or goes on with the one that is there. */
async function enterExample(ctx: Context): Promise<void> {
  const root = join(ctx.base, exampleName);
  if (!(await lstatOrNull(join(root, "workspace.yml")))) {
    await ctx.invoke("workspace.init", { name: exampleName, template: "writ/example" });
  }
  await ctx.enter(root);
  await ctx.invoke("workspace.bootstrap", { offline: true });
}

async function announce(
  ctx: Context,
  { serving, root, example, open }: { serving: Serving; root: string; example: boolean; open: boolean },
): Promise<{ id: string } | undefined> {
  const say = (event: string, text: string): void => ctx.emit({ event, text });
  say("workspace", `Workspace  ${root}`);
  say("address", `Address    ${serving.url}`);
  const made = await makeToken(ctx);
  if (made) {
    say("login", `Page       ${serving.loginUrl(made.token)}   (opens once)`);
    // Each link logs in once, so the browser gets one of its own.
    if (open) ctx.host?.openPage?.(serving.loginUrl(made.token));
    say("token", `Token      ${made.token}   (ends with this server)`);
  } else say("token", `Token      ask ${ctx.caller.acts_for ?? "the owner"} to run: writ token create`);
  say("mcp", `MCP        ${serving.mcpUrl}`);
  say("store", `Store      ${ctx.settings.env("WRIT_DATABASE_URL") ? "PostgreSQL" : ".writ/writ.db"}`);
  say("workers", "Workers    none: this version runs no agents");
  for (const line of example ? exampleHints(root) : []) say("hint", line);
  return made;
}

async function makeToken(ctx: Context): Promise<{ id: string; token: string } | undefined> {
  if (ctx.caller.role === "agent") return undefined;
  const made = await ctx.invoke("token.create", { subject: "client:up", role: "admin", expires: "7d" });
  return { id: String(made.id), token: String(made.token) };
}

function exampleHints(root: string): string[] {
  const cd = `cd ${root}`;
  return [
    "",
    "Try next, in another terminal:",
    `  ${cd}`,
    "  npx writ status",
    "  echo 'Answer in French.' >> .agents/rules/be-brief.md && npx writ bootstrap",
    "  npx writ explain .agents/rules/be-brief.md",
    "  npx writ ledger list",
  ];
}
