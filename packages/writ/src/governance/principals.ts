import { fail, type Role, type SqlWriter } from "../contract/index.ts";
import type { NamedRow } from "../ledger/index.ts";
import { formatInstant } from "../platform/index.ts";
import { rowHash } from "../store/index.ts";

/** Makes sure that a subject is an active principal in this role; answers the row it wrote, if any. */
export async function keepPrincipal(
  db: SqlWriter,
  wanted: { subject: string; role: Role },
): Promise<NamedRow[]> {
  const { subject, role } = wanted;
  const known = await db
    .selectFrom("principals")
    .select(["role", "active"])
    .where("workspace_id", "=", db.workspaceId)
    .where("id", "=", subject)
    .executeTakeFirst();
  if (!known) {
    const added = await addPrincipal(db, wanted);
    // Another transaction was faster, and is over by now: its row is there to be read.
    return added ? [added] : keepPrincipal(db, wanted);
  }
  if (known.active === 0) return [await setPrincipal(db, subject, { active: 1, role })];
  if (known.role === role) return [];
  throw fail("E_EXISTS", {
    message: `${subject} has the role ${known.role} here.`,
    cause: "A principal has one role in a workspace.",
    remediation: `Ask for that role, or revoke its tokens first: writ token revoke --subject ${subject}`,
    details: { subject, role: known.role },
  });
}

async function addPrincipal(
  db: SqlWriter,
  { subject, role }: { subject: string; role: Role },
): Promise<NamedRow | undefined> {
  const principal = {
    workspace_id: db.workspaceId,
    id: subject,
    kind: subject.slice(0, subject.indexOf(":")),
    role,
    active: 1,
    name: null,
    created_at: formatInstant(await db.now()),
  };
  const hash = rowHash("principals", principal);
  const added = await db
    .insertInto("principals")
    .values({ ...principal, row_hash: hash })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return added && { table: "principals", id: subject, hash };
}

/** Changes a principal that is there. */
export async function setPrincipal(
  db: SqlWriter,
  subject: string,
  change: { active: number; role?: Role },
): Promise<NamedRow> {
  const { row_hash: _, ...known } = await db
    .selectFrom("principals")
    .selectAll()
    .where("workspace_id", "=", db.workspaceId)
    .where("id", "=", subject)
    .executeTakeFirstOrThrow();
  const hash = rowHash("principals", { ...known, ...change });
  await db
    .updateTable("principals")
    .set({ ...change, row_hash: hash })
    .where("workspace_id", "=", db.workspaceId)
    .where("id", "=", subject)
    .execute();
  return { table: "principals", id: subject, hash };
}
