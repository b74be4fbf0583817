import type { Context } from "../../contract/index.ts";
import { counted } from "../../platform/index.ts";
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

interface Held {
  lines: readonly IndexLine[];
  readable: readonly { record: ReasoningRecord; digest: string }[];
}

/**
 * Holds the records against the events that name them. A ledger may be that of several checkouts, each with a chain
 * of its own: of a chain that has a record here, every record must be here.
 */
export async function ledgerFindings(ctx: Context, of: Held): Promise<Finding[]> {
  const named = await readNamed(ctx);
  const listed = new Set(of.lines.map(({ id }) => id));
  const ours = new Set(named.filter(({ record }) => listed.has(record)).map(({ chain }) => chain));
  const known = new Set(named.map(({ record }) => record));
  const nameless = of.lines.filter(({ id }) => !known.has(id));
  return [
    ...hereFindings(
      named.filter(({ chain }) => ours.has(chain)),
      of,
    ),
    ...elsewhereFindings(named.filter(({ chain }) => !ours.has(chain))),
    ...answersIn(of, new Set(nameless.map(({ id }) => id))).map((id) =>
      said("warning", id, `${answered}, and no event names it`),
    ),
    ...(nameless.length > 0
      ? [said("warning", "ledger", `${counted(nameless.length, "record has", "records have")} no event`)]
      : []),
  ];
}

function hereFindings(named: readonly Named[], of: Held): Finding[] {
  const byId = new Map(of.readable.map(({ record, digest }) => [record.id, { seq: record.seq, digest }]));
  const listed = new Set(of.lines.map(({ id }) => id));
  const late = named.filter(({ recovered }) => recovered === true).map(({ record }) => record);
  const answers = new Set(answersIn(of, new Set(late)));
  const findings: Finding[] = [];
  for (const { record, seq, digest } of named) {
    const there = byId.get(record);
    if (!there && !listed.has(record))
      findings.push(said("error", record, "the ledger names it, and it is gone"));
    else if (there && (there.digest !== digest || there.seq !== seq))
      findings.push(said("error", record, "the ledger names it with another digest or sequence"));
  }
  for (const id of late) {
    const what = answers.has(id) ? `${answered}, and ` : "";
    findings.push(said("warning", id, `${what}its event was written by a later process`));
  }
  return findings;
}

// Whoever asked tells the ledger at once; without that only the file says that somebody was asked.
const answered = "it holds an answer that counts";

/** Which of these records are an answer of an advisor. */
function answersIn({ readable }: Held, ids: ReadonlySet<string>): string[] {
  return readable.flatMap(({ record: { id, body } }) =>
    ids.has(id) && body.kind === "consultation" && body.status === "completed" ? [id] : [],
  );
}

const shown = 5;

/** Records of which nothing is here: another checkout's, for all that can be known, or deleted to the last. */
function elsewhereFindings(named: readonly Named[]): Finding[] {
  return [...Map.groupBy(named, ({ chain }) => chain)].map(([chain, some]) => {
    const more = some.length > shown ? ` and ${some.length - shown} more` : "";
    const ids = some.slice(0, shown).map(({ record }) => record);
    return said(
      "warning",
      chain,
      `the ledger names ${counted(some.length, "record")} of its chain, and none is here: ${ids.join(", ")}${more}; they are another checkout's, or were deleted`,
    );
  });
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
