import { fail, WritError } from "../contract/index.ts";

// Primary result codes of SQLite; extended ones carry them in the low byte.
const sqlite = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
};

/** True when SQLite says that somebody else holds the lock. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === sqlite.busy || code === sqlite.locked;
}

/** True when SQLite may not open a file, or make one of those it needs beside it. */
export function cannotOpen(error: unknown): boolean {
  return resultCode(error) === sqlite.cannotOpen;
}

/** True when PostgreSQL gave up a transaction that succeeds when it is simply run again. */
export function isRerunnable(error: unknown): boolean {
  return ["40001", "40P01"].includes(sqlState(error));
}

/** Turns a database's own failure into the user's terms; anything else passes as it is. */
export function storeFailure(error: unknown, location: string): unknown {
  if (error instanceof WritError) return error;
  const told = sqliteWords[resultCode(error) ?? -1] ?? postgresWords(error);
  if (!told) return error;
  const [code, cause, remediation] = told;
  return fail(code, {
    message: `The store ${location} cannot be used.`,
    cause,
    remediation,
    from: error,
  });
}

type Told = ["STORE_ERROR" | "E_STORE_LOCKED", string, string];

const damaged: Told = [
  "STORE_ERROR",
  "The file is damaged or is no SQLite database.",
  "Move it away, then restore a backup into the workspace: writ store restore FILE",
];

const sqliteWords: Partial<Record<number, Told>> = {
  [sqlite.busy]: [
    "E_STORE_LOCKED",
    "Another process holds it.",
    "Run the command again; see: writ store status",
  ],
  [sqlite.locked]: [
    "E_STORE_LOCKED",
    "Another process holds it.",
    "Run the command again; see: writ store status",
  ],
  [sqlite.readOnly]: [
    "STORE_ERROR",
    "The file or its folder is read-only.",
    "Make .writ/ writable: chmod -R u+w .writ",
  ],
  // Also what a disk without room answers, when the file that it lacks room for is one of SQLite's own.
  [sqlite.io]: [
    "STORE_ERROR",
    "The disk failed to read or write, or is full.",
    "See whether it has room, else check it: df -h .",
  ],
  [sqlite.corrupt]: damaged,
  [sqlite.full]: ["STORE_ERROR", "The disk is full.", "Free some space and run the command again: df -h ."],
  [sqlite.cannotOpen]: [
    "STORE_ERROR",
    "The file cannot be opened, or none be made beside it.",
    "Check who may read and write there: ls -la .writ",
  ],
  [sqlite.notADatabase]: damaged,
};

function postgresWords(error: unknown): Told | undefined {
  const state = sqlState(error);
  if (state === "55P03")
    return ["E_STORE_LOCKED", "Another writer holds it.", "Run the command again: writ store status"];
  if (state.startsWith("28")) {
    return [
      "STORE_ERROR",
      "The database refused the user or its password.",
      "Check WRIT_DATABASE_URL, then: writ store status",
    ];
  }
  if (state === "3D000") {
    return [
      "STORE_ERROR",
      "There is no such database.",
      "Create it (createdb NAME), then: writ store migrate",
    ];
  }
  if (/^(08|53|57P|58)/.test(state) || unreachable.has(state) || unreachable.has(errorText(error))) {
    return [
      "STORE_ERROR",
      "The database server cannot be reached.",
      "Check that it runs (pg_isready), then: writ store status",
    ];
  }
  return undefined;
}

// What Node's sockets and pg's pool say; they have no SQL state.
const unreachable = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENOENT",
  "Connection terminated unexpectedly",
  "timeout exceeded when trying to connect",
]);

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : "";
}

function resultCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}

function sqlState(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}
