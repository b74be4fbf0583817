import { fail, type SqlReader } from "../contract/index.ts";
import { formatInstant } from "../platform/index.ts";
import type { LedgerEvent } from "./event.ts";
import { eventOf } from "./event-row.ts";
import { type Head, readHead } from "./head.ts";

export interface EventFilter {
  run?: string;
  actor?: string;
  /** A kind, or a family: `approval.*`. */
  kind?: string;
  /** A reference or path that is among the event's subjects, exactly. */
  subject?: string;
  /** An instant or a day; events at or after it. */
  since?: string;
  limit: number;
  /** What an earlier page gave as `next_cursor`. */
  cursor?: string;
}

export interface EventPage {
  events: LedgerEvent[];
  head: Head;
  next_cursor?: string;
}

/** The events of a workspace, newest first. */
export async function listEvents(db: SqlReader, filter: EventFilter): Promise<EventPage> {
  let query = db.selectFrom("ledger_events").selectAll().where("workspace_id", "=", db.workspaceId);
  if (filter.run) query = query.where("run_id", "=", filter.run);
  if (filter.actor) query = query.where("actor", "=", filter.actor);
  if (filter.since) query = query.where("at", ">=", instantOf(filter.since));
  if (filter.cursor) query = query.where("seq", "<", seqOf(filter.cursor));
  if (filter.kind?.endsWith(".*")) {
    // No comparison by order: PostgreSQL may sort by the rules of a language.
    const family = filter.kind.slice(0, -1);
    query = query.where((e) =>
      e(e.fn<string>("substr", ["kind", e.lit(1), e.lit(family.length)]), "=", family),
    );
  } else if (filter.kind) query = query.where("kind", "=", filter.kind);
  const { subject } = filter;
  if (subject !== undefined) {
    query = query.where((e) =>
      db.dialect === "postgres"
        ? e.fn<boolean>("jsonb_exists", ["subjects", e.val(subject)])
        : e.exists(
            e
              .selectFrom(e.fn<{ value: string }>("json_each", ["subjects"]).as("each"))
              .select("each.value")
              .where("each.value", "=", subject),
          ),
    );
  }
  const rows = await query
    .orderBy("seq", "desc")
    .limit(filter.limit + 1)
    .execute();
  const events = rows.slice(0, filter.limit).map(eventOf);
  const last = events.at(-1);
  return {
    events,
    head: await readHead(db),
    ...(rows.length > filter.limit && last && { next_cursor: String(last.seq) }),
  };
}

function instantOf(text: string): string {
  const ms = Date.parse(text);
  if (!Number.isNaN(ms)) return formatInstant(ms);
  throw fail("E_INVALID_VALUE", {
    message: `"${text}" is no instant.`,
    cause: "It is neither a day nor an RFC 3339 time.",
    remediation: "Write it as in: writ ledger list --since 2026-01-31T09:00:00Z",
  });
}

function seqOf(cursor: string): number {
  if (/^[1-9]\d{0,15}$/.test(cursor)) return Number(cursor);
  throw fail("E_INVALID_VALUE", {
    message: `"${cursor}" is no cursor of this list.`,
    cause: "A cursor is what an earlier page gave as next_cursor.",
    remediation: "Begin at the newest event: writ ledger list",
  });
}
