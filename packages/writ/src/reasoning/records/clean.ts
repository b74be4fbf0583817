import { findSecrets, redact } from "../../platform/index.ts";

// Whole escape sequences first: a part of one left over would be text. Every class ends where the next one begins,
// so that each pattern reads a text once.
const stringSequence =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f]*(?:\u0007|\u001b\\|\u009c)/g;
const controlSequence = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g;
const shortSequence = /\u001b[ -/]*[0-~]/g;
const lineEnds = /\r\n?|\u2028|\u2029|\u0085/g;
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;
const formats = /\p{Cf}/gu;

/**
 * A text without what a reader cannot see: terminal escapes of every family, control characters but the line end,
 * and format characters. A tab is a space. Cleaning a clean text changes nothing.
 */
export function clean(text: string): string {
  // What is taken out may join what stood around it to another sequence; the longer ones go first each time.
  const whole = untilStill(text.toWellFormed(), (one) =>
    untilStill(one, (part) => part.replace(stringSequence, "").replace(controlSequence, "")).replace(
      shortSequence,
      "",
    ),
  );
  return whole.replace(lineEnds, "\n").replaceAll("\t", " ").replace(controls, "").replace(formats, "");
}

const untidy = /[^\S ]|  |^ | $/;

// Sequences within sequences within sequences are made to keep a reader busy: what is left of them loses its control
// characters with all others, and shows as text.
const mostPasses = 8;

function untilStill(text: string, change: (text: string) => string): string {
  let before = text;
  for (let pass = 0; pass < mostPasses; pass++) {
    const after = change(before);
    if (after === before) return after;
    before = after;
  }
  return before;
}

/** A text on one line, without white space at its ends. */
export function oneLined(text: string): string {
  // Most texts are on one line already, and a look is cheaper than a copy.
  return untidy.test(text) ? text.replace(/\s+/g, " ").trim() : text;
}

/** What was cleaned, and the shapes of the secrets that were taken out, sorted. */
export interface Cleaned<T> {
  value: T;
  redacted: string[];
}

/** Cleans and redacts every string of a value as a tree, keys left alone. */
export function cleanTree<T>(value: T): Cleaned<T> {
  const shapes = new Set<string>();
  const walk = (node: unknown): unknown => {
    if (typeof node === "string") return cleanText(node, shapes);
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== "object" || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, walk(member)]));
  };
  return { value: walk(value) as T, redacted: [...shapes].sort() };
}

/** One text, cleaned and redacted; the shapes found are added to the set. */
export function cleanText(text: string, shapes: Set<string> = new Set()): string {
  const cleaned = clean(text);
  for (const { kind } of findSecrets(cleaned)) shapes.add(kind);
  return redact(cleaned);
}

const link = /\b(?:https?|ftp):\/\/([^\s/?#<>"'`)\]]+)[^\s<>"'`)\]]*/gi;

/** An advisor's text: as any other, and a link in it shows only where it would have led. */
export function cleanForeign(text: string): string {
  // Before secrets are looked for: what stands before the host in a link is left out with the rest of it.
  const plain = clean(text).replace(
    link,
    (_, host: string) => `[link: ${host.slice(host.lastIndexOf("@") + 1)}]`,
  );
  return redact(plain);
}

/** Whether nothing is left of a text to read. */
export function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === "";
}

/** Two subjects are the same when they differ in case and white space only. */
export function subjectKey(subject: string): string {
  return oneLined(subject).toLowerCase();
}
