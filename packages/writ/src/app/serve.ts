import type { App } from "./create-app.ts";
import type { ServeOptions, Serving, SurfaceDeps } from "../contract/index.ts";
import { createLog, standardOutput, systemClock, systemIds } from "../platform/index.ts";
import { mcpProfile } from "./profile.ts";
import { createResources } from "./resources.ts";

// As long as a person waits for a server to stop before pressing Ctrl-C again.
const drainMs = 10_000;

async function depsOf(app: App, root: string): Promise<SurfaceDeps> {
  const log = createLog({ write: (line) => void process.stderr.write(line) });
  return {
    registry: await app.registry(),
    execute: app.execute,
    authenticate: app.authenticate,
    version: app.version,
    root,
    clock: systemClock,
    ids: systemIds,
    log: (line) => log.info(line),
    resources: createResources({ execute: app.execute, root, answered: app.registered.resources }),
    prompts: () => app.registered.topics(),
  };
}

/** Serves HTTP and, at /mcp, MCP, until the signal fires; then drains and stops. */
export async function serve(app: App, options: ServeOptions): Promise<Serving> {
  const [{ serveHttp }, { createMcpHttp }] = await Promise.all([
    import("../surfaces/http/index.ts"),
    import("../surfaces/mcp/index.ts"),
  ]);
  const deps = await depsOf(app, options.root);
  const mcp = createMcpHttp(deps, { profile: mcpProfile });
  const http = await serveHttp(deps, {
    host: options.host,
    port: options.port,
    public: options.public,
    hosts: options.allowedHosts,
    trustedProxies: options.trustedProxies,
    mcp: mcp.fetch,
  });
  const closed = new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      http
        .close(drainMs)
        .then(() => mcp.close())
        .then(resolve, reject);
    };
    if (options.signal.aborted) stop();
    else options.signal.addEventListener("abort", stop, { once: true });
  });
  return {
    url: http.url,
    mcpUrl: `${http.url}/mcp`,
    loginUrl: (token) => http.createLogin({ token }),
    closed,
  };
}

/** Serves MCP on this process's standard input and output until the client goes away. */
export async function serveMcp(
  app: App,
  options: { root: string; tools: string[]; token?: string; signal: AbortSignal },
) {
  const { serveMcpStdio } = await import("../surfaces/mcp/index.ts");
  const { token } = options;
  const serving = serveMcpStdio(await depsOf(app, options.root), {
    profile: mcpProfile,
    tools: options.tools,
    credential: { terminal: true, ...(token && { token }) },
    input: process.stdin,
    output: standardOutput(),
  });
  options.signal.addEventListener("abort", () => void serving.close(), { once: true });
  await serving.closed;
}
