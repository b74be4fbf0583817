import type { Host } from "../contract/index.ts";
import type { App } from "./create-app.ts";
import { version } from "../generated/version.ts";

/** This process as a host of surfaces. The surfaces are loaded when a command asks to serve. */
export function createHost(openPage?: Host["openPage"]): Host & { attach(app: App): void } {
  let app: App | undefined;
  const running = (): App => {
    if (!app) throw new Error("the host was asked to serve before the program was put together");
    return app;
  };
  return {
    version,
    pid: process.pid,
    ...(openPage && { openPage }),
    attach: (made) => {
      app = made;
    },
    serve: async (options) => (await import("./serve.ts")).serve(running(), options),
    serveMcp: async (options) => (await import("./serve.ts")).serveMcp(running(), options),
  };
}
