import type { Caller, Ids, Role, SqlReader, SqlWriter } from "../contract/index.ts";
import type { NamedRow } from "../ledger/index.ts";
import { formatInstant, sha256Hex } from "../platform/index.ts";
import { rowHash } from "../store/index.ts";
import { keepPrincipal } from "./principals.ts";

/** A token as a list shows it; the secret itself is shown once, when it is made. */
export interface TokenEntry {
  id: string;
  subject: string;
  role: Role;
  agent?: string;
  created: string;
  last_used?: string;
  expires?: string;
}

/** What a new token is to be. */
export interface NewToken {
  subject: string;
  role: Role;
  agent?: string;
  expiresAt?: string;
}

// 256 random bits: no one guesses it, so a plain hash keeps it safe at rest without a slow one on every call.
const secretBytes = 32;

/** What is kept of a token, as far as it says who calls. */
interface FoundToken {
  id: string;
  principal_id: string;
  role: string;
  expires_at: string | null;
}

/** The token of this hash, unless it is unknown or revoked. */
export function findToken(db: SqlReader, hash: string): Promise<FoundToken | undefined> {
  return db
    .selectFrom("tokens")
    .innerJoin("principals", (join) =>
      join
        .onRef("principals.id", "=", "tokens.principal_id")
        .onRef("principals.workspace_id", "=", "tokens.workspace_id"),
    )
    .select(["tokens.id", "tokens.principal_id", "tokens.role", "tokens.expires_at"])
    .where("tokens.workspace_id", "=", db.workspaceId)
    .where("tokens.hash", "=", hash)
    .where("tokens.revoked_at", "is", null)
    .where("principals.active", "=", 1)
    .executeTakeFirst();
}

/** The caller that a token stands for, or undefined when its time is over. */
export function callerOf(
  { id, principal_id, role, expires_at }: FoundToken,
  now: number,
): Caller | undefined {
  if (expires_at !== null && expires_at <= formatInstant(now)) return undefined;
  return { actor: principal_id, role: role as Role, token: id };
}

/** Makes a token, and its principal where the subject is new; answers the secret and the rows it wrote. */
export async function createToken(
  db: SqlWriter,
  wanted: NewToken,
  { ids }: { ids: Ids },
): Promise<{ id: string; token: string; rows: NamedRow[] }> {
  const at = formatInstant(await db.now());
  const principal = await keepPrincipal(db, wanted);
  const secret = `writ_${ids.secret(secretBytes)}`;
  const token = {
    workspace_id: db.workspaceId,
    id: ids.next("tok"),
    principal_id: wanted.subject,
    hash: sha256Hex(secret),
    role: wanted.role,
    agent: wanted.agent ?? null,
    expires_at: wanted.expiresAt ?? null,
    last_used_at: null,
    revoked_at: null,
    created_at: at,
  };
  const hash = rowHash("tokens", token);
  await db
    .insertInto("tokens")
    .values({ ...token, row_hash: hash })
    .execute();
  return { id: token.id, token: secret, rows: [...principal, { table: "tokens", id: token.id, hash }] };
}

/** The tokens that still open something, oldest first. */
export async function listTokens(db: SqlReader): Promise<TokenEntry[]> {
  const rows = await db
    .selectFrom("tokens")
    .selectAll()
    .where("workspace_id", "=", db.workspaceId)
    .where("revoked_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    subject: row.principal_id,
    role: row.role as Role,
    ...(row.agent !== null && { agent: row.agent }),
    created: row.created_at,
    ...(row.last_used_at !== null && { last_used: row.last_used_at }),
    ...(row.expires_at !== null && { expires: row.expires_at }),
  }));
}
