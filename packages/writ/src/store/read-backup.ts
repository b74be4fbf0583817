import { basename } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { fail, type WritError } from "../contract/index.ts";
import { lstatOrNull } from "../platform/index.ts";
import { storeFailure } from "./failures.ts";
import { notAStore, storeNewer } from "./refusals.ts";

/** What a backup says of itself, once its every page has been checked. */
export async function readBackup(
  file: string,
  known: number,
): Promise<{ workspace: { id: string; name: string }; created_at: string | undefined; version: number }> {
  const name = basename(file);
  if (!(await lstatOrNull(file))) throw noBackup(name);
  let database: DatabaseSync | undefined;
  try {
    const url = pathToFileURL(file);
    // As it stands: otherwise looking at a backup would leave two helper files beside it.
    url.searchParams.set("immutable", "1");
    database = new DatabaseSync(url, { readOnly: true });
    const found = text(database, "pragma integrity_check", "integrity_check");
    if (found !== "ok") throw brokenBackup(name, found ?? "It cannot be checked.");
    const tables = text(database, "select name from sqlite_master where name = 'migrations'", "name");
    if (!tables) throw notAStore(name);
    const version = Number(database.prepare("select max(version) as version from migrations").get()?.version);
    if (version > known) throw storeNewer(name, version, known);
    const row = database.prepare("select workspace_id, name, created_at from workspaces limit 1").get();
    if (!row) throw brokenBackup(name, "It names no workspace.");
    return {
      workspace: { id: String(row.workspace_id), name: String(row.name) },
      created_at: String(row.created_at),
      version,
    };
  } catch (error) {
    throw storeFailure(error, name);
  } finally {
    database?.close();
  }
}

function text(database: DatabaseSync, query: string, column: string): string | undefined {
  const value = database.prepare(query).get()?.[column];
  return typeof value === "string" ? value : undefined;
}

function noBackup(name: string): WritError {
  return fail("E_NOT_FOUND", {
    message: `There is no backup ${name}.`,
    cause: "No file is there.",
    remediation:
      "Name a file that writ store backup wrote, or one made before an upgrade: .writ/writ.db.*.bak",
  });
}

function brokenBackup(name: string, cause: string): WritError {
  return fail("STORE_ERROR", {
    message: `The backup ${name} is damaged, and was not restored.`,
    cause,
    remediation: "Restore an older one: ls -t .writ/*.bak",
  });
}
