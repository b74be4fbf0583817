import { type Context, fail } from "../../contract/index.ts";
import { type CurationLine, readCuration } from "../formats/curation-csv.ts";
import { commitLibrary } from "../library/change.ts";
import type { Database } from "../library/database.ts";
import { resolveIds } from "../library/resolve.ts";
import { decide, type NewDecision } from "../library/tell.ts";
import { readLibrary } from "../library/use.ts";
import type { Decision } from "../model.ts";
import { decider } from "./decide-papers.ts";
import { presentDecisions } from "./present.ts";

export interface ApplyInput {
  file: string;
  by?: string | undefined;
  wait: number;
}

export interface AppliedFile {
  run_id: string | null;
  accepted_count: number;
  rejected_count: number;
  skipped_count: number;
  not_found_count: number;
  notes_count: number;
  total_rows: number;
  /** The first of the names that are of no paper. */
  not_found: string[];
  changed: boolean;
  reason?: string;
}

const named = 1000;
const words: ReadonlySet<string> = new Set(["", "undecided", "accepted", "rejected"]);

/** Takes the decisions and notes of a curation file: all of them, or none when one cannot be meant. */
export async function applyFile(ctx: Context, given: ApplyInput): Promise<AppliedFile> {
  const opened = await ctx.open(given.file);
  const lines = await readCuration(opened.bytes(), opened.name);
  requireWords(lines, opened.name);
  const by = decider(ctx, given.by);
  const plan = (db: Database) => planRows(db, { lines, by, name: opened.name });
  const seen = await readLibrary(ctx, plan, { wait: given.wait });
  if (seen.rows.length === 0) {
    return { run_id: null, ...seen.answer, changed: false, reason: "The library holds all of it already." };
  }
  if (ctx.dryRun) return { run_id: null, ...seen.answer, changed: true };
  const params = { file: opened.name, rows: lines.length };
  return commitLibrary(ctx, { verb: "curate.apply", params, wait: given.wait }, async (change) => {
    const { rows, answer } = await plan(change.db);
    await decide(change, rows);
    const { accepted_count: accepted, rejected_count: rejected, notes_count: notes } = answer;
    change.setCounts({ accepted, rejected, notes });
    return { run_id: change.run.id, ...answer, changed: true };
  });
}

function requireWords(lines: readonly CurationLine[], name: string): void {
  const wrong = lines.filter(({ decision }) => !words.has(decision));
  const first = wrong[0];
  if (!first) return;
  const shown = wrong.slice(0, 20).map(({ line }) => line);
  throw fail("E_CSV_DECISION", {
    message: `${name} has decisions that are none, in line ${shown.join(", ")}.`,
    cause: `"${first.decision.slice(0, 80)}" in line ${first.line} is not accepted, rejected or undecided.`,
    remediation: "Correct these lines and apply the file again; nothing of it was applied.",
    details: { lines: shown, found: wrong.length },
  });
}

interface Planned {
  rows: NewDecision[];
  answer: Omit<AppliedFile, "run_id" | "changed" | "reason">;
}

async function planRows(
  db: Database,
  { lines, by, name }: { lines: readonly CurationLine[]; by: string; name: string },
): Promise<Planned> {
  const texts = lines
    .flatMap(({ id, doi, source_id }) => [id, doi, source_id])
    .filter((one) => one !== undefined);
  const { found } = await resolveIds(db, texts);
  const paperOf = ({ id = "", doi = "", source_id = "" }: CurationLine) =>
    found.get(id) ?? found.get(doi) ?? found.get(source_id);
  const present = await presentDecisions(db, [...new Set(found.values())]);
  const answer: Planned["answer"] = {
    accepted_count: 0,
    rejected_count: 0,
    skipped_count: 0,
    not_found_count: 0,
    notes_count: 0,
    total_rows: lines.length,
    not_found: [],
  };
  const decided = new Map<string, { decision: Decision; line: number }>();
  const planned = new Map<string, NewDecision>();
  for (const line of lines) {
    const decision = line.decision === "accepted" || line.decision === "rejected" ? line.decision : undefined;
    const paper = paperOf(line);
    if (paper === undefined && (decision || line.note)) {
      answer.not_found_count += 1;
      if (answer.not_found.length < named) answer.not_found.push(line.id ?? line.doi ?? line.source_id ?? "");
      continue;
    }
    answer[decision ? (`${decision}_count` as const) : "skipped_count"] += 1;
    if (paper === undefined) continue;
    if (decision) noteConflict(decided, { paper, decision, line: line.line, name });
    const now = present.get(paper);
    const note = line.note !== undefined && line.note !== now?.note ? line.note : undefined;
    if (note !== undefined) answer.notes_count += 1;
    // The file tells what a paper is, by whomever: only what is another decision is a decision.
    const decides = decision !== undefined && decision !== now?.status;
    if (!decides && note === undefined) continue;
    planned.set(paper, {
      ...planned.get(paper),
      paper,
      kind: "manual",
      by,
      ...(decides && { decision }),
      ...(note !== undefined && { note }),
    });
  }
  return { rows: [...planned.values()], answer };
}

/** One paper accepted on one line and rejected on another is neither. */
function noteConflict(
  decided: Map<string, { decision: Decision; line: number }>,
  { paper, decision, line, name }: { paper: string; decision: Decision; line: number; name: string },
): void {
  const before = decided.get(paper);
  if (before === undefined) decided.set(paper, { decision, line });
  else if (before.decision !== decision) {
    throw fail("E_CSV_CONFLICT", {
      message: `${name} contradicts itself in lines ${before.line} and ${line}.`,
      cause: `${paper} is ${before.decision} on one and ${decision} on the other.`,
      remediation: "Correct one of the lines and apply the file again; nothing of it was applied.",
      details: { lines: [before.line, line], paper },
    });
  }
}
