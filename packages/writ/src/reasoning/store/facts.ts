import { sha256Hex } from "../../platform/index.ts";
import type { StoredBody } from "../model/record.ts";
import { subjectKey } from "../records/clean.ts";

/** What a line of the index says of a record, so that planning need not open every file. */
export interface Facts {
  /** Of an assessment: the digest of its subject, whatever its case and spacing. */
  subject?: string;
  outcome?: string;
  selected?: string[];
  plan?: string;
  advisor?: string;
  dispatch?: string;
  status?: string;
  remote?: boolean;
  /** Tokens, reported or estimated; of a dispatch what it may still cost. */
  input?: number;
  output?: number;
  deadline_at?: string;
  retry_after_seconds?: number;
  supersedes?: string;
}

/** One record as the index knows it. */
export interface IndexLine {
  seq: number;
  /** The sequence of the line before it, where it is not the number before: those between cannot be read. */
  after?: number;
  id: string;
  task: string;
  kind: StoredBody["kind"];
  at: string;
  root?: string;
  digest: string;
  act: string;
  capability: string;
  facts: Facts;
}

/** The digest under which assessments with an equal subject are found. */
export const subjectDigest = (subject: string): string => sha256Hex(subjectKey(subject)).slice(0, 32);

/** The facts of a body; `requestBytes` of the dispatch stands in where an exchange reported no use. */
export function factsOf(body: StoredBody, requestBytes = 0): Facts {
  switch (body.kind) {
    case "assessment":
      return { subject: subjectDigest(body.subject) };
    case "plan":
      return { outcome: body.plan.outcome, selected: body.plan.selected.map(({ advisor }) => advisor) };
    case "dispatch": {
      const { plan, advisor, remote, deadline_at, reserve_tokens, request_bytes } = body;
      const input = Math.ceil(request_bytes / 4);
      return { plan, advisor, remote, deadline_at, input, output: Math.max(0, reserve_tokens - input) };
    }
    case "consultation": {
      const { dispatch, plan, advisor, status, remote, usage, retry_after_seconds, response_bytes } = body;
      const estimated = Math.ceil((requestBytes + response_bytes) / 4);
      const input = usage?.input_tokens ?? Math.ceil(requestBytes / 4);
      return {
        dispatch,
        plan,
        advisor,
        status,
        remote,
        input,
        output: usage?.output_tokens ?? Math.max(0, estimated - input),
        ...(retry_after_seconds !== undefined && { retry_after_seconds }),
      };
    }
    case "circuit_reset":
      return { advisor: body.advisor };
    case "waiver":
      return body.selection ? { ...body.selection } : {};
    case "conclusion":
      return body.supersedes === undefined ? {} : { supersedes: body.supersedes };
    case "local_review":
    case "disagreement":
    case "resolution":
    case "validation":
    case "attempt":
      return {};
  }
}
