import type { WritError } from "../../contract/index.ts";
import type { StoredBody } from "../model/record.ts";
import { isBlank } from "../records/clean.ts";
import { blankField } from "./rule.ts";

/** The texts of each kind that must say something. */
const required: Partial<Record<StoredBody["kind"], readonly string[]>> = {
  assessment: ["subject"],
  local_review: ["alternative", "falsifier", "experiment", "result"],
  disagreement: ["discriminating_question"],
  resolution: ["experiment", "outcome"],
  conclusion: ["decision", "rationale"],
  validation: ["check"],
  attempt: ["attempt", "observed_failure"],
  waiver: ["reason"],
  circuit_reset: ["advisor", "reason"],
};

/** Why a body has a blank text where one is needed, or a blank item in any list; undefined when it has none. */
export function refuseBlank(body: StoredBody): WritError | undefined {
  const fields = body as unknown as Record<string, unknown>;
  for (const field of required[body.kind] ?? []) {
    if (isBlank(fields[field] as string | undefined)) return blankField(`/${field}`);
  }
  for (const [field, value] of Object.entries(fields)) {
    const pointer = Array.isArray(value) && !computed.has(field) ? blankItem(value, `/${field}`) : undefined;
    if (pointer !== undefined) return blankField(pointer);
  }
  if (body.kind === "local_review" && body.assumptions.length === 0) return blankField("/assumptions");
  return undefined;
}

// What the writer itself puts into a body is not the caller's to fill in.
const computed = new Set(["availability", "settles"]);

function blankItem(items: readonly unknown[], pointer: string): string | undefined {
  for (const [i, item] of items.entries()) {
    if (typeof item === "string" && isBlank(item)) return `${pointer}/${i}`;
    if (typeof item !== "object" || item === null) continue;
    const blank = Object.entries(item).find(([, text]) => typeof text === "string" && isBlank(text));
    if (blank) return `${pointer}/${i}/${blank[0]}`;
  }
  return undefined;
}
