import type { Change } from "../library/change.ts";

/** The name of an equation that is asked now: `eq-YYYYMMDDTHHMMSS`, with a number behind it where one has it already. */
export async function equationId({ ctx, db }: Pick<Change, "ctx" | "db">): Promise<string> {
  const digits = new Date(ctx.clock.now()).toISOString().replaceAll(/[-:]/g, "");
  const id = `eq-${digits.slice(0, 15)}`;
  const rows = await db.rows<{ id: string }>(
    "SELECT DISTINCT equation_id AS id FROM runs WHERE starts_with(equation_id, ?)",
    [id],
  );
  return rows.length === 0 ? id : `${id}-${rows.length + 1}`;
}
