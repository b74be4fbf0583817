import type { HttpBindings } from "@hono/node-server";
import type { Call, SurfaceDeps } from "../../contract/index.ts";
import type { Limits } from "./limits.ts";
import type { Metrics } from "./metrics.ts";
import type { Sessions } from "./sessions.ts";
import type { Streams } from "./streams.ts";
import type { Traffic } from "./traffic.ts";

/** How the HTTP surface is served. */
export interface HttpOptions {
  /** Names besides the loopback's that Host may hold: "writ.example.org" or "writ.example.org:8443". */
  hosts?: readonly string[];
  /** Addresses of proxies whose X-Forwarded-* headers are believed. */
  trustedProxies?: readonly string[];
  /** The port clients see, for calls that come through no socket. */
  port?: number;
  limits?: Partial<Limits>;
  /** The folder of the built cockpit, where it is not the one that ships with the program. */
  cockpit?: string;
  /** False while this process should get no traffic. */
  ready?: () => Promise<boolean>;
  /** Serves /mcp; the request's body has been read and its caller admitted. */
  mcp?: (request: Request, peer: { remote: boolean }) => Promise<Response>;
}

/** What the routes share. */
export interface Http {
  deps: SurfaceDeps;
  options: HttpOptions;
  limits: Limits;
  sessions: Sessions;
  metrics: Metrics;
  streams: Streams;
  traffic: Traffic;
  /** Fires when the server is asked to stop: streams that only watch end at once. */
  draining: AbortController;
  /** Fires when its time to drain is over and every call must end. */
  stopping: AbortController;
  /** Calls under way, which end with it. */
  calls: Set<AbortController>;
}

/** Who sent a request, known before its body is read. */
export interface Caller extends Pick<Call, "credential" | "where" | "admission"> {
  /** Whose streams are counted together: the token, or the session. */
  owner: string;
  role: string;
}

export interface HttpEnv {
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** The route's id in the metrics. */
    route: string;
    /** Words of the command a refusal speaks of; empty before one is known. */
    command: string;
    caller: Caller;
  };
}
