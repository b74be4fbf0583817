import type { Context, SqlStore } from "../../contract/index.ts";
import { appendEvent, eventIdOf } from "../../ledger/index.ts";
import type { Store } from "../../store/index.ts";
import { reasoningRecorded } from "./events.ts";
import type { IndexLine } from "./facts.ts";
import type { RecordIndex } from "./record-index.ts";
import { readTold, type Told, writeTold } from "./told-file.ts";

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
    await store.write(async (db) => {
      const lines =
        told !== undefined && !rebuilt && isTrue(told, index)
          ? index.lines.filter(({ seq }) => seq > told.seq)
          : await unnamed(db, index);
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
    });
    await writeTold(root, index.head);
  } catch {
    ctx.warn({
      code: "W_LEDGER_OWED",
      message:
        "The record stands. Its ledger event could not be written yet; the next record writes it first.",
      remediation: "See what is wrong with the store: writ store status",
    });
  }
}

/** Whether what was told is of these records: a number above the last, or of another record, says nothing. */
function isTrue({ seq, digest }: Told, { lines, head }: RecordIndex): boolean {
  if (seq > head.seq) return false;
  return digest === undefined || lines.findLast((line) => line.seq <= seq)?.digest === digest;
}

type Writer = Parameters<Parameters<Store["write"]>[0]>[0];

/** The lines that no event of the ledger names. */
async function unnamed(db: Writer, { lines }: RecordIndex): Promise<IndexLine[]> {
  const portion = 200;
  const found: IndexLine[] = [];
  for (let from = 0; from < lines.length; from += portion) {
    const some = lines.slice(from, from + portion);
    const known = await db
      .selectFrom("ledger_events")
      .select("id")
      .where("workspace_id", "=", db.workspaceId)
      .where(
        "id",
        "in",
        some.map(({ id }) => eventIdOf(id)),
      )
      .execute();
    const ids = new Set(known.map(({ id }) => id));
    found.push(...some.filter(({ id }) => !ids.has(eventIdOf(id))));
  }
  return found;
}

function storeOf(store: SqlStore): Store {
  return store as Store;
}
