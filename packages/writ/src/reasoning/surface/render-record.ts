import type { Style } from "../../contract/index.ts";
import { basisOf } from "../derive/timeline.ts";
import { quoted, short } from "../derive/words.ts";
import type { Answer } from "../model/bodies.ts";
import type { Plan } from "../model/plan.ts";
import type { Evidence, Review } from "../model/record.ts";

/** A record as the answer of a call carries it. */
export interface ShownRecord {
  id: string;
  task: string;
  recorded_at: string;
  actor: string;
  head?: unknown;
  redacted?: unknown;
  body: { kind: string } & Record<string, unknown>;
}

const longest = 400;

/** A record for people: where it comes from, then each of its fields that says something. */
export function recordLines(
  { id, task, recorded_at: at, actor, head, body }: ShownRecord,
  style: Style,
): string[] {
  const fields = Object.entries(body)
    .filter(([field, value]) => !aside.has(field) && !isEmpty(value))
    .toSorted(([a], [b]) => placeOf(a) - placeOf(b));
  const frame = [`task ${task}`, at, actor, ...(typeof head === "string" ? [head.slice(0, 12)] : [])];
  return [
    style.bold(id),
    style.dim(`  ${frame.join("  ")}`),
    ...fields.flatMap(([field, value]) => fieldLines(field.replaceAll("_", " "), told(field, value), style)),
  ];
}

// What a record says comes before what it says it about.
const first = [
  "subject",
  "decision",
  "rationale",
  "check",
  "attempt",
  "advisor",
  "status",
  "answer",
  "outcome",
];

function placeOf(field: string): number {
  const place = first.indexOf(field);
  return place < 0 ? first.length : place;
}

// The kind is in the id, and the states that a plan was computed from are for its check.
const aside = new Set(["kind", "availability", "brief_bytes", "again"]);

function isEmpty(value: unknown): boolean {
  return value === undefined || value === false || (Array.isArray(value) && value.length === 0);
}

function fieldLines(name: string, value: string | string[], style: Style): string[] {
  if (typeof value === "string") return [`  ${style.dim(`${name}:`)} ${value}`];
  return [`  ${style.dim(`${name}:`)}`, ...value.map((one) => `    - ${one}`)];
}

function told(field: string, value: unknown): string | string[] {
  switch (field) {
    case "evidence":
      return (value as Evidence[]).map(evidenceText);
    case "review":
      return basisOf(value as Review);
    case "plan":
      return typeof value === "string" ? value : short((value as Plan).reason, longest);
    case "answer":
      return answerText(value as Answer);
    default:
      return Array.isArray(value) ? value.map(text) : text(value);
  }
}

function evidenceText({ kind, reference, note, resolved }: Evidence): string {
  const lost = resolved === false ? " (leads nowhere)" : "";
  return short(`${kind} ${reference}${lost}${note === undefined ? "" : `: ${note}`}`, longest);
}

/** What an advisor said is one introduced quotation, whatever is in it. */
function answerText({ origin, stance, conclusion }: Answer): string[] {
  return [`stance ${stance}`, quoted(origin.replace(/^advisor:/, ""), conclusion)];
}

function text(value: unknown): string {
  if (typeof value !== "object" || value === null) return short(String(value), longest);
  const parts = Object.entries(value).map(([key, one]) => `${key.replaceAll("_", " ")}: ${text(one)}`);
  return short(parts.join("; "), longest);
}

/** What to do next, one command a line. */
export function nextLines(next: readonly string[] | undefined, style: Style): string[] {
  return (next ?? []).map((command, at) => `${style.bold(at === 0 ? "Next" : "    ")}  ${command}`);
}
