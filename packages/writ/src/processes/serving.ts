import { type Context, fail, type Host, type Serving, WritError } from "../contract/index.ts";
import { withLock } from "../platform/index.ts";
import { noteRunning, readRunning, type Running, serverLock } from "./running.ts";

/** How a server was asked for. */
export interface Wanted {
  host: string;
  port: number;
  public: boolean;
  allowedHosts: string[];
  trustedProxies: string[];
}

type Started = (serving: Serving) => Promise<void>;

/** Serves one workspace until the call is ended. Answers where the other one is when a server already runs here. */
export async function serveWorkspace(
  ctx: Context,
  wanted: Wanted,
  started: Started,
): Promise<Running & { already: boolean }> {
  const root = requireWorkspace(ctx);
  const host = requireHost(ctx);
  const lock = await serverLock(root);
  try {
    return await withLock(
      lock,
      {
        waitMs: 0,
        what: "the server of this workspace",
        folder: ".writ",
        command: "writ up",
        signal: ctx.signal,
      },
      async () => {
        // The store is made, migrated and registered before anybody is told that the server is there.
        await ctx.store("register");
        const serving = await host.serve({ root, ...wanted, signal: ctx.signal });
        const running = { pid: host.pid, url: serving.url, mcp_url: serving.mcpUrl };
        await noteRunning(root, running);
        await started(serving);
        await serving.closed;
        return { ...running, already: false };
      },
    );
  } catch (error) {
    if (!(error instanceof WritError) || error.code !== "E_STORE_LOCKED") throw error;
    const running = await readRunning(root);
    if (!running) throw error;
    return { ...running, already: true };
  }
}

/** The root of the workspace, or the error of there being none. */
export function requireWorkspace(ctx: Context): string {
  if (ctx.workspace) return ctx.workspace.root;
  throw fail("E_NO_WORKSPACE", {
    message: "There is no workspace here to serve.",
    cause: "No workspace.yml stands in the folder or above it.",
    remediation: "Make one with writ init NAME, name one with --workspace DIR, or try: writ up --example",
    details: { searched_from: ctx.base },
  });
}

export function requireHost(ctx: Context): Host {
  if (ctx.host) return ctx.host;
  throw fail("USAGE_ERROR", {
    message: "Only the command line can start a server.",
    cause: "This call came through one.",
    remediation: "Run it in a terminal: writ serve",
  });
}
