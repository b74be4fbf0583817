import type { Stopped } from "./process.ts";

/** What the HTTP exchange said. */
export interface HttpTrace {
  status?: number;
  retryAfterSeconds?: number;
}

/** The facts of a failed git call. */
export interface GitFailure {
  code: number | null;
  stderr: string;
  http: HttpTrace;
  stopped?: Stopped;
}

/** What went wrong in a call to a remote. */
export type FailureKind =
  | "auth"
  | "missing"
  | "unsafe"
  | "owner"
  | "host_key"
  | "passing"
  | "rate_limited"
  | "timeout"
  | "disk"
  | "network";

// Read from the top; the first row that fits decides. Lines that the remote wrote ("remote: …") are not looked at.
const table: readonly { kind: FailureKind; status?: readonly number[]; text?: RegExp }[] = [
  { kind: "rate_limited", status: [429], text: /returned error: 429/ },
  { kind: "timeout", status: [408, 504], text: /returned error: (408|504)/ },
  { kind: "unsafe", text: /transport '[^']*' not allowed/ },
  { kind: "owner", text: /dubious ownership/ },
  { kind: "auth", text: /returned error: 40[13]|Authentication failed|could not read (Username|Password)/ },
  { kind: "auth", text: /Permission denied \([a-z,-]*(publickey|password|keyboard)/ },
  { kind: "host_key", text: /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/ },
  { kind: "missing", text: /returned error: 4(04|10)|does not appear to be a git repository/ },
  {
    kind: "missing",
    text: /repository '.*' not found|Repository not found|not valid: is this a git repository/i,
  },
  {
    kind: "disk",
    text: /No space left on device|Read-only file system|Disk quota exceeded|unable to (create|write) /,
  },
  { kind: "timeout", text: /Operation too slow|timed out/i },
  {
    kind: "passing",
    text: /Could not resolve|Name or service not known|Temporary failure in name resolution/i,
  },
  {
    kind: "passing",
    text: /Connection (refused|reset|closed)|Failed to connect|Couldn't connect|Network is unreachable/i,
  },
  { kind: "passing", text: /SSL|TLS|gnutls|certificate/i },
  {
    kind: "passing",
    text: /early EOF|hung up|unexpected disconnect|RPC failed|Empty reply|transfer closed|Recv failure/i,
  },
  { kind: "passing", text: /returned error: 5\d\d|invalid index-pack output|index-pack failed/ },
  { kind: "auth", status: [401, 403] },
  { kind: "missing", status: [404, 410] },
  { kind: "passing", status: [500, 502, 503] },
];

/** The kind of a failure; what no row knows is the network's. */
export function kindOf(failure: GitFailure): FailureKind {
  if (failure.stopped === "timeout") return "timeout";
  const text = ownLines(failure.stderr);
  const row = table.find(
    ({ status, text: pattern }) =>
      (status && failure.http.status !== undefined && status.includes(failure.http.status)) ||
      pattern?.test(text),
  );
  return row?.kind ?? "network";
}

/** What git itself said, without the lines that the remote wrote. */
export function ownLines(stderr: string): string {
  return stderr
    .split("\n")
    .filter((line) => !line.startsWith("remote:"))
    .join("\n");
}
