import { commandLine } from "../../contract/index.ts";
import type { RecordOf } from "../model/record.ts";

// Each line is complete but for what only the session knows: that is blank, and refused when it is recorded so.

/** The line that asks on an assessment. */
export function consulting(input: { assessment: string; plan?: string; dry_run?: true }): string {
  return commandLine({ path: ["reasoning", "consult"], flags: [] }, input);
}

export const explaining = (id: string): string => `writ reasoning explain ${id}`;

export function recording(record: { kind: string } & Record<string, unknown>): string {
  return commandLine({ path: ["reasoning", "record"], flags: [] }, { record });
}

export const blankEvidence = [{ kind: "file", reference: "" }];

/** The line that begins: an uncertainty, as far as it is known. */
export function assessing(known: {
  materiality: string;
  confidence?: string;
  confidential?: boolean;
}): string {
  return recording({ kind: "assessment", subject: "", ...known, evidence: blankEvidence });
}

export function reviewing(assessment: string): string {
  return recording({
    kind: "local_review",
    assessment,
    alternative: "",
    assumptions: [{ text: "" }],
    falsifier: "",
    experiment: "",
    result: "",
  });
}

export function disagreeing(assessment: string, answers: readonly string[]): string {
  return recording({
    kind: "disagreement",
    assessment,
    positions: ["primary", ...answers].map((source) => ({ source, position: "" })),
    discriminating_question: "",
  });
}

export function resolving({ id }: RecordOf<"disagreement">): string {
  return recording({
    kind: "resolution",
    disagreement: id,
    experiment: "",
    outcome: "",
    favours: "",
    evidence: [{ kind: "test", reference: "" }],
  });
}

export const checking =
  (conclusion: string) =>
  (check: string): string =>
    recording({ kind: "validation", conclusion, check, outcome: "" });
