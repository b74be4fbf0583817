import { fail, type WritError } from "../contract/index.ts";

/** E_STORE_NEWER: only a newer program may touch it. */
export function storeNewer(location: string, found: number, known: number): WritError {
  return fail("E_STORE_NEWER", {
    message: `The store ${location} was written by a newer Writ.`,
    cause: `Its schema is version ${found}; this program knows versions up to ${known}.`,
    remediation: "Update Writ, then run the command again: npm install --global writ@latest",
    details: { found, known },
  });
}

/** E_STORE_OUTDATED: a reader changes nothing, so it cannot migrate. */
export function storeOutdated(location: string, found: number, known: number): WritError {
  return fail("E_STORE_OUTDATED", {
    message: `The store ${location} is of an older version and must be migrated before it is read.`,
    cause: `Its schema is version ${found}; this program reads version ${known}.`,
    remediation: "Run: writ store migrate",
    details: { found, known },
  });
}

/** E_STORE_OUTDATED: the database is there, and has never heard of this workspace. */
export function workspaceUnknown(location: string, id: string, byName = false): WritError {
  return fail("E_STORE_OUTDATED", {
    message: `The database ${location} does not know this workspace yet.`,
    cause: `No workspace with the id ${id} is registered there.`,
    remediation: byName
      ? "Correct WRIT_WORKSPACE_ID to the id in .writ/workspace.json of the workspace, or register it there: writ store migrate"
      : "Register it: writ store migrate",
    details: { workspace: id },
  });
}

/** STORE_ERROR: a database, but none of Writ's. */
export function notAStore(location: string): WritError {
  return fail("STORE_ERROR", {
    message: `"${location}" is no store of Writ's.`,
    cause: "It is a database with other tables.",
    remediation: `Move it away and run the command again: mv ${location} ${location}.other`,
  });
}
