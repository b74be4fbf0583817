import { fail, type Failure, type ErrorCode, type WritError } from "../../contract/index.ts";
import type { StoredBody } from "../model/record.ts";
import type { Records } from "../records/records.ts";

/** What a rule is judged against: the records before, and facts the caller found out. */
export interface Standing {
  records: Records;
  /** Words of the vocabulary; absent in a replay, where today's tables say nothing of yesterday's. */
  vocabulary?: readonly string[];
  /** Whether an advisor is declared. Absent in a replay. */
  isDeclared?: (advisor: string) => boolean;
}

/** One rule of admission: its name, and why a body breaks it. */
export interface Rule<B = StoredBody> {
  name: string;
  refuse(body: B, standing: Standing): WritError | undefined;
}

export type BodyOfKind<K extends StoredBody["kind"]> = Extract<StoredBody, { kind: K }>;

/** The refusal of a record; its details name the record or field it is about. */
export function refusal(code: ErrorCode, failure: Failure): WritError {
  return fail(code, failure);
}

/** Why a reference does not lead to a record of a kind, or undefined when it does. */
export function notA(
  records: Records,
  id: string,
  { kind, field }: { kind: StoredBody["kind"]; field: string },
): WritError | undefined {
  const found = records.find(id);
  const name = kind.replaceAll("_", " ");
  if (!found) {
    return fail("E_NOT_FOUND", {
      message: `There is no ${name} "${id.slice(0, 120)}".`,
      cause: `${field} names a record that nobody recorded in this checkout.`,
      remediation: "See what there is: writ reasoning status --task all",
      details: { kind, id: id.slice(0, 120), field },
    });
  }
  if (found.body.kind === kind) return undefined;
  return fail("E_WRONG_KIND", {
    message: `${id} is no ${name}.`,
    cause: `Its kind is ${found.body.kind.replaceAll("_", " ")}; ${field} needs the kind ${name}.`,
    remediation: `Look at it: writ reasoning explain ${id}`,
    details: { id, kind: found.body.kind, needed: kind, field },
  });
}

/** The refusal of a text or list item that says nothing. */
export function blankField(pointer: string): WritError {
  return fail("E_BLANK_FIELD", {
    message: `${pointer} is blank.`,
    cause: "It is needed, and nothing is left of it once it is cleaned.",
    remediation: "Fill it in and record again: writ schema reasoning-record",
    details: { field: pointer },
  });
}
