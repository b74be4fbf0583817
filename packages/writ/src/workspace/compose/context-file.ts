import { dirname, relative } from "node:path/posix";
import type { ContextFile, NotesState, RegionHashes } from "./context-types.ts";
import { markerLine, parseMarkers, type Damage, type Parsed, type Region } from "./markers.ts";
import { notesHash } from "./notes.ts";
import { decide, type Decision } from "./threeway.ts";

/** One context file to be composed. */
export interface ContextTarget {
  path: string;
  role: ContextFile["role"];
  existing: Buffer | null;
  parsed: Exclude<Parsed, { state: "damaged" }>;
  /** Lines of its generated region. */
  lines: readonly string[];
  /** What its editable region is to hold; absent where it has none. */
  notes?: { value: Buffer; state: NotesState; base: string };
  recorded?: RegionHashes;
  settle?: "theirs" | "ours";
}

/** The one line of a mirror whose client inlines `@path`, seen from that file's folder. */
export function importLine(path: string, canonical: string): string {
  return `@${relative(dirname(path), canonical)}`;
}

/** Composes one file: only its regions are replaced, every other byte is copied. */
export function composeContextFile(target: ContextTarget): { file: ContextFile } | { damage: Damage } {
  const { path, role, existing, parsed, notes } = target;
  const text = `${target.lines.join("\n")}\n`;
  const next = notesHash(Buffer.from(text));
  const base = target.recorded?.generated || null;
  const local = parsed.state === "valid" && existing ? regionHash(existing, parsed.generated) : null;
  const decision = settled(decide({ base, local, next }), target.settle);
  const write = local === null || decision.action === "update";
  const bytes = written(target, write ? text : undefined);
  const damage = selfCheck(path, bytes);
  if (damage) return { damage };
  const file: ContextFile = {
    path,
    role,
    bytes,
    changed: !existing?.equals(bytes),
    state: decision.state,
    adopted: parsed.state === "unmarked" && existing !== null,
    notes: notes?.state ?? "clean",
    record: {
      generated: decision.state === "conflict" ? (base ?? "") : next,
      editable: notes?.base ?? "",
    },
    ownText: hasOwnText(bytes),
  };
  if (decision.state === "edited" && next === base) file.unedited = written(target, text);
  if (decision.state === "conflict" && decision.reason && local !== null) {
    const theirsBytes = written(target, text);
    file.conflict = {
      reason: decision.reason,
      ...(base !== null && { base }),
      local,
      theirs: next,
      theirsBytes,
    };
  }
  return { file };
}

/** A conflict that the caller has settled: theirs is an update, ours makes the new text the base. */
function settled(decision: Decision, settle?: "theirs" | "ours"): Decision {
  if (settle === "theirs" && (decision.state === "conflict" || decision.state === "edited")) {
    return { state: "outdated", action: "update" };
  }
  if (settle === "ours" && decision.state === "conflict") return { state: "edited", action: "keep" };
  return decision;
}

export function regionHash(bytes: Buffer, region: Region): string {
  return notesHash(bytes.subarray(region.innerStart, region.innerEnd));
}

/** The file with its notes in place and, when `text` is given, with that generated text. */
function written({ existing, parsed, notes }: ContextTarget, text?: string): Buffer {
  if (!existing || existing.length === 0) return fresh(text ?? "", notes?.value, "\n");
  if (parsed.state === "unmarked") {
    const eol = existing.includes("\r\n") ? "\r\n" : "\n";
    const gap = existing.at(-1) === 0x0a ? eol : `${eol}${eol}`;
    return Buffer.concat([existing, Buffer.from(gap), fresh(text ?? "", notes?.value, eol)]);
  }
  return spliced(existing, editsOf({ existing, parsed, notes, text }));
}

interface Edit {
  start: number;
  end: number;
  bytes: Buffer;
}

function editsOf({
  existing,
  parsed,
  notes,
  text,
}: {
  existing: Buffer;
  parsed: Extract<Parsed, { state: "valid" }>;
  notes: ContextTarget["notes"];
  text: string | undefined;
}): Edit[] {
  const { generated, editable } = parsed;
  const edits: Edit[] = [];
  if (text !== undefined) {
    edits.push({
      start: generated.start,
      end: generated.end,
      bytes: Buffer.from(regionText("header", text, generated.eol)),
    });
  }
  if (notes && editable && regionHash(existing, editable) !== notesHash(notes.value)) {
    edits.push({ start: editable.innerStart, end: editable.innerEnd, bytes: notes.value });
  }
  if (notes && !editable) {
    const { end, eol } = generated;
    edits.push({
      start: end,
      end,
      bytes: Buffer.concat([Buffer.from(`${eol}${eol}`), editableRegion(notes.value, eol)]),
    });
  }
  return edits.toSorted((a, b) => a.start - b.start);
}

function spliced(bytes: Buffer, edits: readonly Edit[]): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(bytes.subarray(at, edit.start), edit.bytes);
    at = edit.end;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}

function fresh(text: string, notes: Buffer | undefined, eol: string): Buffer {
  const header = Buffer.from(`${regionText("header", text, eol)}${eol}`);
  if (!notes) return header;
  return Buffer.concat([header, Buffer.from(eol), editableRegion(notes, eol), Buffer.from(eol)]);
}

/** A region without the line ending of its last line, which belongs to the file. */
function regionText(kind: "header" | "editable", text: string, eol: string): string {
  return `${markerLine(`${kind}-start`)}${eol}${text.replaceAll("\n", eol)}${markerLine(`${kind}-end`)}`;
}

function editableRegion(value: Buffer, eol: string): Buffer {
  const start = Buffer.from(`${markerLine("editable-start")}${eol}`);
  return Buffer.concat([start, value, Buffer.from(markerLine("editable-end"))]);
}

/** True when something visible stands outside both regions. */
export function hasOwnText(bytes: Buffer): boolean {
  const parsed = parseMarkers(bytes);
  if (parsed.state !== "valid") return true;
  const regions = [parsed.generated, ...(parsed.editable ? [parsed.editable] : [])];
  const rest = spliced(
    bytes,
    regions
      .map(({ start, end }) => ({ start, end, bytes: Buffer.alloc(0) }))
      .toSorted((a, b) => a.start - b.start),
  );
  return (
    rest
      .toString("utf8")
      .replace(/^\uFEFF/, "")
      .trim() !== ""
  );
}

/**
 * What is written must be read back: notes or text with an open code block can put a marker inside one,
 * and the next run would then find a damaged file.
 */
function selfCheck(file: string, bytes: Buffer): Damage | undefined {
  const parsed = parseMarkers(bytes);
  if (parsed.state === "valid") return undefined;
  const problem = "with these notes, a code block that is not closed would swallow a marker";
  if (parsed.state === "damaged")
    return { file, ...parsed.damage, problems: [...parsed.damage.problems, problem] };
  const missing = [markerLine("header-start"), markerLine("header-end")];
  return { file, markers: parsed.fenced, missing, problems: [problem] };
}
