import { type Caller, fail, nearest, type SqlReader, type SqlWriter } from "../contract/index.ts";
import { lockHead, type NamedRow } from "../ledger/index.ts";
import { formatInstant } from "../platform/index.ts";
import { rowHash } from "../store/index.ts";
import { setPrincipal } from "./principals.ts";

/** Which tokens to revoke: one by its id, or all of a subject. */
interface Which {
  id?: string | undefined;
  subject?: string | undefined;
}

type Tokens = Awaited<ReturnType<typeof findTokens>>;

/** The tokens a call would revoke. Refuses what is unknown, what needs an owner, and the last owner. */
export async function findRevocable(db: SqlReader, which: Which, caller: Caller): Promise<Tokens> {
  requireOne(which);
  const named = await findTokens(db, which);
  if (named.length === 0) throw await unknown(db, which);
  const found = named.filter((token) => token.revoked_at === null);
  if (found.some((token) => token.role === "owner") && caller.role !== "owner") {
    throw fail("E_ROLE_REQUIRED", {
      message: "Only an owner revokes an owner's token.",
      cause: `${caller.actor} is ${caller.role}.`,
      remediation: "Ask an owner to run: writ token revoke ID",
      details: { actor: caller.actor, role: caller.role, needs: "owner" },
    });
  }
  if (caller.token !== undefined && found.length > 0) await keepAnOwner(db, found);
  return found;
}

function requireOne({ id, subject }: Which): void {
  if (id === undefined && subject === undefined) {
    throw fail("E_MISSING_INPUT", {
      message: "token revoke needs ID or --subject.",
      cause: "Neither was given.",
      remediation: "Name one: writ token revoke ID",
      details: {
        missing: [
          { name: "id", description: "The token's id, from writ token list." },
          { name: "subject", description: "Or a subject, to revoke every token of it." },
        ],
      },
    });
  }
  if (id === undefined || subject === undefined) return;
  throw fail("E_CONFLICTING_INPUT", {
    message: "ID and --subject exclude each other.",
    cause: "One names a token, the other all tokens of a subject.",
    remediation: "Give one of them.",
  });
}

/** The person at the terminal stays owner whatever is revoked; a caller with a token must leave somebody in charge. */
async function keepAnOwner(db: SqlReader, found: Tokens): Promise<void> {
  if (!found.some((token) => token.role === "owner")) return;
  const going = found.map((token) => token.id);
  const left = await db
    .selectFrom("tokens")
    .select("id")
    .where("workspace_id", "=", db.workspaceId)
    .where("role", "=", "owner")
    .where("revoked_at", "is", null)
    .where("id", "not in", going)
    .executeTakeFirst();
  if (left) return;
  throw fail("E_LAST_OWNER", {
    message: "This would leave the workspace without an owner.",
    cause: "No other owner holds a token.",
    remediation: "Make another owner first: writ token create --subject user:NAME --role owner",
  });
}

async function unknown(db: SqlReader, { id, subject }: Which) {
  const rows = await db
    .selectFrom("tokens")
    .select(["id", "principal_id"])
    .where("workspace_id", "=", db.workspaceId)
    .where("revoked_at", "is", null)
    .execute();
  const near = nearest(
    id ?? subject ?? "",
    rows.map((row) => (id === undefined ? row.principal_id : row.id)),
  );
  return fail("E_NOT_FOUND", {
    message: `No token is known by "${id ?? subject}".`,
    cause: near ? `The nearest is ${near}.` : "The workspace has no token like it.",
    remediation: "See them with writ token list",
    ...(near && { details: { nearest: near } }),
  });
}

/** The tokens that an id or a subject names, with their role; revoked ones too. */
async function findTokens(db: SqlReader, by: Which) {
  let query = db.selectFrom("tokens").selectAll().where("workspace_id", "=", db.workspaceId);
  if (by.id !== undefined) query = query.where("id", "=", by.id);
  if (by.subject !== undefined) query = query.where("principal_id", "=", by.subject);
  return query.orderBy("id").execute();
}

/**
 * Finds the tokens again and revokes them, alone: of two calls that revoke the last two owners, the second
 * sees the first's work.
 */
export async function revokeAlone(
  db: SqlWriter,
  which: Which,
  caller: Caller,
): Promise<{ revoked: string[]; rows: NamedRow[] }> {
  await lockHead(db);
  const found = await findRevocable(db, which, caller);
  return { revoked: found.map((token) => token.id), rows: await revokeTokens(db, found) };
}

/** Revokes tokens; the next call that shows one is refused. A principal without a token left is forgotten as active. */
async function revokeTokens(db: SqlWriter, found: Tokens): Promise<NamedRow[]> {
  const at = formatInstant(await db.now());
  const rows: NamedRow[] = [];
  for (const { row_hash: _, ...token } of found) {
    const revoked = { ...token, revoked_at: at };
    const hash = rowHash("tokens", revoked);
    await db
      .updateTable("tokens")
      .set({ revoked_at: at, row_hash: hash })
      .where("workspace_id", "=", db.workspaceId)
      .where("id", "=", token.id)
      .execute();
    rows.push({ table: "tokens", id: token.id, hash });
  }
  for (const subject of new Set(found.map((token) => token.principal_id))) {
    rows.push(...(await releasePrincipal(db, subject)));
  }
  return rows;
}

/** A principal without a token left is inactive: it keeps its row, and may come back in another role. */
async function releasePrincipal(db: SqlWriter, subject: string): Promise<NamedRow[]> {
  const left = await db
    .selectFrom("tokens")
    .select("id")
    .where("workspace_id", "=", db.workspaceId)
    .where("principal_id", "=", subject)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return left ? [] : [await setPrincipal(db, subject, { active: 0 })];
}
