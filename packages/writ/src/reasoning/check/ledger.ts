import type { Context } from "../../contract/index.ts";
import type { ReasoningRecord } from "../model/record.ts";
import { reasoningRecorded } from "../store/events.ts";
import type { IndexLine } from "../store/facts.ts";
import type { Finding } from "./finding.ts";

interface Named {
  record: string;
  seq: number;
  digest: string;
  chain: string;
  recovered?: boolean;
}

/** Holds the records against the events that name them. */
export async function ledgerFindings(
  ctx: Context,
  of: { lines: readonly IndexLine[]; readable: readonly { record: ReasoningRecord; digest: string }[] },
): Promise<Finding[]> {
  const chain = of.lines[0]?.id;
  const named = (await readNamed(ctx)).filter((one) => one.chain === chain);
  const byId = new Map(of.readable.map(({ record, digest }) => [record.id, { seq: record.seq, digest }]));
  const listed = new Set(of.lines.map(({ id }) => id));
  const findings: Finding[] = [];
  for (const { record, seq, digest, recovered } of named) {
    const there = byId.get(record);
    if (!there && !listed.has(record))
      findings.push(said("error", record, "the ledger names it, and it is gone"));
    else if (there && (there.digest !== digest || there.seq !== seq))
      findings.push(said("error", record, "the ledger names it with another digest or sequence"));
    if (recovered === true)
      findings.push(said("warning", record, "its event was written by a later process"));
  }
  const known = new Set(named.map(({ record }) => record));
  const unnamed = of.lines.filter(({ id }) => !known.has(id)).length;
  if (unnamed > 0) findings.push(said("warning", "ledger", `${unnamed} records have no event`));
  return findings;
}

function said(level: Finding["level"], subject: string, message: string): Finding {
  return { check: "records", level, subject, message, rules: ["ledger"] };
}

async function readNamed(ctx: Context): Promise<Named[]> {
  return ctx.read(async (db) => {
    const rows = await db
      .selectFrom("ledger_events")
      .innerJoin("payloads", (join) =>
        join
          .onRef("payloads.hash", "=", "ledger_events.payload_hash")
          .onRef("payloads.workspace_id", "=", "ledger_events.workspace_id"),
      )
      .select("payloads.body")
      .where("ledger_events.workspace_id", "=", db.workspaceId)
      .where("ledger_events.kind", "=", reasoningRecorded)
      .orderBy("ledger_events.seq")
      .execute();
    return rows.flatMap(({ body }) => (body === null ? [] : [JSON.parse(body) as Named]));
  });
}
