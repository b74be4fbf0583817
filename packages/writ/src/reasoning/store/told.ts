import type { Context, SqlStore } from "../../contract/index.ts";
import { appendEvent, eventIdOf } from "../../ledger/index.ts";
import { readOrNull, writeAtomic } from "../../platform/index.ts";
import type { Store } from "../../store/index.ts";
import { reasoningRecorded } from "./events.ts";
import type { IndexLine } from "./facts.ts";
import { at, toldFile } from "./paths.ts";
import type { RecordIndex } from "./record-index.ts";

/** The sequence up to which the ledger names every record; undefined when nobody knows. */
export async function readTold(root: string): Promise<number | undefined> {
  const bytes = await readOrNull(at(root, toldFile), 1024).catch(() => null);
  try {
    const { seq } = JSON.parse(bytes?.toString("utf8") ?? "") as { seq?: unknown };
    return typeof seq === "number" ? seq : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Names in the ledger every record it does not name yet, in one transaction. Called with the lock of the records
 * held: what another act left unnamed was left by a process that died. A ledger that cannot be written now is a
 * warning, and the next writer's work; the record stands.
 */
export async function tellLedger(
  ctx: Context,
  index: RecordIndex,
  { rebuilt }: { rebuilt: boolean },
): Promise<void> {
  const root = ctx.workspace?.root ?? "";
  try {
    const told = await readTold(root);
    const store = storeOf(await ctx.store("write"));
    const last = await store.write(async (db) => {
      const lines =
        told === undefined ? await unnamed(db, index) : index.lines.filter(({ seq }) => seq > told);
      const chain = index.lines[0]?.id ?? "";
      for (const line of lines) {
        await appendEvent(db, {
          id: eventIdOf(line.id),
          at: line.at,
          actor: ctx.caller.actor,
          ...(ctx.caller.acts_for !== undefined && { acts_for: ctx.caller.acts_for }),
          kind: reasoningRecorded,
          capability: line.capability,
          subjects: [`record:${line.id}`],
          outcome: "done",
          payload: {
            record: line.id,
            seq: line.seq,
            digest: line.digest,
            chain,
            ...(line.act !== ctx.act && { recovered: true }),
          },
        });
      }
      if (rebuilt) {
        await appendEvent(db, {
          id: `${eventIdOf(ctx.act)}-index`,
          actor: ctx.caller.actor,
          kind: "reasoning.index_rebuilt",
          outcome: "done",
          payload: { records: index.lines.length, chain },
        });
      }
      return index.head.seq;
    });
    await writeAtomic(at(root, toldFile), `${JSON.stringify({ seq: last })}\n`, { mode: 0o600, sync: false });
  } catch {
    ctx.warn({
      code: "W_LEDGER_OWED",
      message:
        "The record stands. Its ledger event could not be written yet; the next record writes it first.",
      remediation: "See what is wrong with the store: writ store status",
    });
  }
}

type Writer = Parameters<Parameters<Store["write"]>[0]>[0];

/** The lines after the newest one that the ledger knows. */
async function unnamed(db: Writer, index: RecordIndex): Promise<IndexLine[]> {
  const portion = 200;
  for (let end = index.lines.length; end > 0; end -= portion) {
    const lines = index.lines.slice(Math.max(0, end - portion), end);
    const known = await db
      .selectFrom("ledger_events")
      .select("id")
      .where("workspace_id", "=", db.workspaceId)
      .where(
        "id",
        "in",
        lines.map(({ id }) => eventIdOf(id)),
      )
      .execute();
    const ids = new Set(known.map(({ id }) => id));
    const newest = lines.findLast(({ id }) => ids.has(eventIdOf(id)));
    if (newest) return index.lines.filter(({ seq }) => seq > newest.seq);
  }
  return index.lines;
}

function storeOf(store: SqlStore): Store {
  return store as Store;
}
