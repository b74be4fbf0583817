import type { Context } from "../../contract/index.ts";
import { lstatOrNull } from "../../platform/index.ts";
import { type ChangeOptions, inTransaction } from "./change.ts";
import type { Change } from "./changing.ts";
import { Database } from "./database.ts";
import { endOfLittle } from "./ingest-memory.ts";
import { placeOf } from "./place.ts";
import { createTables } from "./schema.ts";
import { interruptible, rootOf } from "./use.ts";
import { writeLibrary } from "./write.ts";

/**
 * What a change would come to: it is made as it would be, and taken back. It needs the library as long as the change
 * would, owes no event and leaves no run; a library that is missing is not made.
 */
export async function rehearseLibrary<T>(
  ctx: Context,
  options: ChangeOptions,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  const rehearse = async (db: Database) => {
    await db.run("BEGIN");
    try {
      return await inTransaction(db, { ctx, options: { ...options, phase: true }, work });
    } finally {
      await db.run("ROLLBACK").catch(() => undefined);
      endOfLittle();
    }
  };
  if (!options.creates || (await lstatOrNull(placeOf(rootOf(ctx)).file)))
    return writeLibrary(ctx, { ...options, creates: false }, rehearse);
  const db = await Database.open({ file: ":memory:" });
  try {
    await createTables(db, new Date(ctx.clock.now()));
    return await interruptible(ctx, db, () => rehearse(db));
  } finally {
    db.close();
  }
}
