import { bounds } from "../model/bounds.ts";
import type { Answer } from "../model/bodies.ts";
import { confidences, type FailureStatus, stances } from "../model/words.ts";
import { cleanForeign, isBlank } from "../records/clean.ts";
import { findObject } from "./find-object.ts";

/** An answer, or why a text is none. */
export type Normalised = { answer: Answer } | { status: FailureStatus; diagnostic: string };

/** From the text of an advisor to an answer: the first object in it that has a conclusion. Pure. */
export function normalise(text: string, origin: string): Normalised {
  if (isBlank(text)) return { status: "empty", diagnostic: "the answer says nothing" };
  if (Buffer.byteLength(text) > bounds.answerBytes)
    return { status: "malformed", diagnostic: `the answer is above ${bounds.answerBytes} bytes` };
  const found = findObject(text, hasConclusion);
  if (!found) return { status: "malformed", diagnostic: "the answer holds no JSON object with a conclusion" };
  const conclusion = kept(String(found.conclusion), bounds.conclusionChars);
  if (isBlank(conclusion)) return { status: "malformed", diagnostic: "nothing is left of its conclusion" };
  const stance = stances.find((known) => known === found.stance) ?? "inconclusive";
  const confidence = confidences.find((known) => known === found.confidence);
  return {
    answer: {
      origin,
      trust: "data",
      conclusion,
      stance,
      assumptions: texts(found.assumptions),
      risks: texts(found.risks),
      actions: texts(found.actions),
      falsifiers: texts(found.falsifiers),
      ...(confidence && { confidence }),
    },
  };
}

const hasConclusion = ({ conclusion }: Record<string, unknown>): boolean =>
  typeof conclusion === "string" && !isBlank(conclusion);

function texts(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const items: string[] = [];
  // Item by item, so that a hundred thousand cost no more than the first few.
  for (const item of value as unknown[]) {
    if (items.length === bounds.answerItems) break;
    if (typeof item !== "string") continue;
    const text = kept(item, bounds.answerItemChars);
    if (!isBlank(text)) items.push(text);
  }
  return items;
}

/** A text cleaned and cut; of one far too long only the beginning is looked at. */
function kept(text: string, most: number): string {
  const cleaned = cleanForeign(text.slice(0, 8 * most)).trim();
  return cleaned.length <= most ? cleaned : cleaned.slice(0, most).toWellFormed();
}
