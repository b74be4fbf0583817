import type { SqlReader } from "../contract/index.ts";
import { sha256Hex } from "../platform/index.ts";
import { goneHash } from "./event.ts";
import type { Finding } from "./finding.ts";
import type { NamedThings } from "./named-things.ts";
import { currentRowHashes } from "./row-hashes.ts";

const batch = 500;

/** Compares every row and payload that events name with what the newest of them says. */
export async function checkNamed(
  db: SqlReader,
  named: NamedThings,
): Promise<{ findings: Finding[]; redacted: number }> {
  const findings = await checkRows(db, named);
  let redacted = 0;
  for (const part of inBatches([...named.payloads()])) {
    const bodies = await readBodies(
      db,
      part.map(({ hash }) => hash),
    );
    for (const payload of part) {
      const body = bodies.get(payload.hash);
      if (body === null && payload.redacted) redacted++;
      else if (body === undefined || body === null)
        findings.push(wrong("MISSING", { table: "payloads", id: payload.hash, seq: payload.seq }));
      else if (sha256Hex(body) !== payload.hash)
        findings.push(wrong("MODIFIED", { table: "payloads", id: payload.hash, seq: payload.seq }));
    }
  }
  return { findings, redacted };
}

async function checkRows(db: SqlReader, named: NamedThings): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const part of inBatches([...named.rows()])) {
    const hashes = await currentRowHashes(db, part);
    part.forEach(({ table, id, hash, seq }, i) => {
      const now = hashes[i] ?? goneHash;
      if (now === hash) return;
      findings.push(wrong(now === goneHash ? "MISSING" : "MODIFIED", { table, id, seq }));
    });
  }
  return findings;
}

async function readBodies(db: SqlReader, hashes: string[]): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom("payloads")
    .select(["hash", "body"])
    .where("workspace_id", "=", db.workspaceId)
    .where("hash", "in", hashes)
    .execute();
  return new Map(rows.map(({ hash, body }) => [hash, body]));
}

function wrong(
  kind: "MODIFIED" | "MISSING",
  { table, id: row, seq }: { table: string; id: string; seq: number },
): Finding {
  const what = kind === "MISSING" ? "is gone" : "was changed outside Writ";
  return { seq, kind, table, row, message: `The row ${row} of ${table}, as event ${seq} wrote it, ${what}.` };
}

function* inBatches<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += batch) yield all.slice(from, from + batch);
}
