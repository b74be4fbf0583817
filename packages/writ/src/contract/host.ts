/** How to serve: what `up` and `serve` were asked for. */
export interface ServeOptions {
  root: string;
  host: string;
  port: number;
  public: boolean;
  /** Names besides its own addresses that Host may hold: "writ.example.org", with a port or without. */
  allowedHosts: string[];
  /** Addresses of proxies whose X-Forwarded-* headers are believed. */
  trustedProxies: string[];
  signal: AbortSignal;
}

/** A running server. */
export interface Serving {
  url: string;
  mcpUrl: string;
  /** A link that logs a browser in, once, as the token's subject. */
  loginUrl(token: string): string;
  /** Resolves when the server has drained and stopped. */
  closed: Promise<void>;
}

/** This process as a host of surfaces; only the composition root can make one. */
export interface Host {
  version: string;
  /** This process's number. */
  pid: number;
  /** Opens a page in the user's browser; present where a person sits at a desktop's terminal. */
  openPage?: (url: string) => void;
  /** Throws E_PORT_IN_USE or E_PUBLIC_REFUSED. */
  serve(options: ServeOptions): Promise<Serving>;
  /** Serves MCP on standard input and output until the client goes away. */
  serveMcp(options: { root: string; tools: string[]; token?: string; signal: AbortSignal }): Promise<void>;
}
