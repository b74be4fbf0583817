import { bounds } from "../model/bounds.ts";
import type { Answer } from "../model/bodies.ts";
import { confidences, type FailureStatus, stances } from "../model/words.ts";
import { cleanForeign, isBlank } from "../records/clean.ts";

/** An answer, or why a text is none. */
export type Normalised = { answer: Answer } | { status: FailureStatus; diagnostic: string };

/** From the text of an advisor to an answer: the first object in it that has a conclusion. Pure. */
export function normalise(text: string, origin: string): Normalised {
  if (isBlank(text)) return { status: "empty", diagnostic: "the answer says nothing" };
  if (Buffer.byteLength(text) > bounds.answerBytes)
    return { status: "malformed", diagnostic: `the answer is above ${bounds.answerBytes} bytes` };
  const found = findObject(text);
  if (!found) return { status: "malformed", diagnostic: "the answer holds no JSON object with a conclusion" };
  const conclusion = cut(cleanForeign(String(found.conclusion)).trim(), bounds.conclusionChars);
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

function texts(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const kept: string[] = [];
  // Item by item, so that a hundred thousand cost no more than the first few.
  for (const item of value as unknown[]) {
    if (kept.length === bounds.answerItems) break;
    if (typeof item !== "string") continue;
    const text = cut(cleanForeign(item.slice(0, 8 * bounds.answerItemChars)).trim(), bounds.answerItemChars);
    if (!isBlank(text)) kept.push(text);
  }
  return kept;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).toWellFormed();
}

const mostStarts = 200;

/** The first balanced object that parses and has a conclusion; objects within a failing one are tried too. */
function findObject(text: string): Record<string, unknown> | undefined {
  let from = 0;
  for (let starts = 0; starts < mostStarts; starts++) {
    const start = text.indexOf("{", from);
    if (start < 0) return undefined;
    const end = endOf(text, start);
    const found = end < 0 ? undefined : objectIn(text.slice(start, end + 1));
    if (found && typeof found.conclusion === "string" && !isBlank(found.conclusion)) return found;
    from = start + 1;
  }
  return undefined;
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Where the object that begins here ends, or -1; braces within strings do not count. */
function endOf(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 92) i++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123) depth++;
    else if (code === 125 && --depth === 0) return i;
  }
  return -1;
}
