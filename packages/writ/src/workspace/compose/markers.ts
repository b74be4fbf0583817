import { fail, type WritError } from "../../contract/index.ts";
import { fencesOf, linesOf } from "./text-lines.ts";

export type MarkerName = "header-start" | "header-end" | "editable-start" | "editable-end";

/** The line that stands for a marker. */
export function markerLine(name: MarkerName): string {
  return `<!-- @awac:${name} -->`;
}

const marker = /^<!-- @awac:((?:header|editable)-(?:start|end)) -->[ \t\r]*$/;

/** A pair of marker lines and what they enclose, in bytes. */
export interface Region {
  /** Where the start marker's line begins. */
  start: number;
  /** Where the end marker's line ends, its line ending left out. */
  end: number;
  innerStart: number;
  innerEnd: number;
  /** Line ending of the start marker's line. */
  eol: "\n" | "\r\n";
}

/** Why a file's markers cannot be trusted, with all that a person needs to restore them. */
export interface Damage {
  file: string;
  /** Every marker line; inside fenced code with the line that opened it. */
  markers: { marker: string; line: number; fence_line?: number }[];
  /** Marker lines to restore. */
  missing: string[];
  problems: string[];
}

export type Parsed =
  | { state: "unmarked"; fenced: Damage["markers"] }
  | { state: "valid"; generated: Region; editable?: Region; fenced: Damage["markers"] }
  | { state: "damaged"; damage: Omit<Damage, "file"> };

interface Found {
  name: MarkerName;
  line: number;
  start: number;
  end: number;
  next: number;
  fenceLine?: number;
}

/** Finds the regions of a context file. Offsets are bytes, so that what is not replaced can be copied as it is. */
export function parseMarkers(bytes: Buffer): Parsed {
  const found = findMarkers(bytes);
  const counted = found.filter((one) => one.fenceLine === undefined);
  const report = found.map(({ name, line, fenceLine }) => ({
    marker: markerLine(name),
    line,
    ...(fenceLine !== undefined && { fence_line: fenceLine }),
  }));
  const fenced = report.filter((one) => "fence_line" in one);
  if (counted.length === 0) return { state: "unmarked", fenced };
  const header = pairOf("header", counted);
  const editable = pairOf("editable", counted);
  const missing = [...header.missing, ...(counted.some(isEditable) ? editable.missing : [])];
  const problems = [...header.problems, ...editable.problems];
  if (header.region && editable.region && overlap(header.region, editable.region)) {
    problems.push("the generated and the editable region interleave");
  }
  if (missing.length > 0 || problems.length > 0 || !header.region) {
    return { state: "damaged", damage: { markers: report, missing, problems } };
  }
  return {
    state: "valid",
    generated: header.region,
    ...(editable.region && { editable: editable.region }),
    fenced,
  };
}

function findMarkers(bytes: Buffer): Found[] {
  const lines = linesOf(bytes);
  const found: Found[] = [];
  let fences: Map<number, number> | undefined;
  lines.forEach((one, index) => {
    const name = one.text.startsWith("<!-- @awac:") ? marker.exec(one.text)?.[1] : undefined;
    if (name === undefined) return;
    fences ??= fencesOf(lines);
    const fence = fences.get(index);
    const { start, end, next } = one;
    found.push({
      name: name as MarkerName,
      line: index + 1,
      start,
      end,
      next,
      ...(fence !== undefined && { fenceLine: fence + 1 }),
    });
  });
  return found;
}

function isEditable(found: Found): boolean {
  return found.name.startsWith("editable");
}

function pairOf(kind: "header" | "editable", counted: Found[]) {
  const starts = counted.filter((one) => one.name === `${kind}-start`);
  const ends = counted.filter((one) => one.name === `${kind}-end`);
  const missing: string[] = [];
  const problems: string[] = [];
  for (const [name, list] of [
    [`${kind}-start`, starts],
    [`${kind}-end`, ends],
  ] as const) {
    if (list.length === 0) missing.push(markerLine(name));
    if (list.length > 1)
      problems.push(`${name} stands ${list.length} times (lines ${list.map((one) => one.line).join(", ")})`);
  }
  const [start] = starts;
  const [end] = ends;
  if (!start || !end || problems.length > 0) return { missing, problems };
  if (end.start < start.start) {
    problems.push(`${kind}-end (line ${end.line}) stands before ${kind}-start (line ${start.line})`);
    return { missing, problems };
  }
  const eol = start.next - start.end === 2 ? "\r\n" : "\n";
  const region: Region = {
    start: start.start,
    end: end.end,
    innerStart: start.next,
    innerEnd: end.start,
    eol,
  };
  return { missing, problems, region };
}

function overlap(a: Region, b: Region): boolean {
  return a.start < b.end && b.start < a.end;
}

/** The error for files whose markers are damaged; it is thrown before anything is written. */
export function markersDamaged(damages: readonly Damage[]): WritError {
  const [first] = damages;
  const files = damages.map((damage) => damage.file);
  return fail("E_MARKERS_DAMAGED", {
    message: `The markers in ${files.join(", ")} are damaged; nothing was changed.`,
    cause: damages.map((damage) => `${damage.file}: ${causeOf(damage)}.`).join(" "),
    remediation: first ? remedyOf(first) : "Restore the marker lines.",
    details: { ...first, files: damages },
  });
}

function causeOf(damage: Damage): string {
  const where = damage.markers.map(({ marker: text, line, fence_line: fence }) =>
    fence === undefined
      ? `${text} at line ${line}`
      : `${text} at line ${line}, inside the code block opened at line ${fence}`,
  );
  const facts = [...damage.missing.map((line) => `no ${line}`), ...damage.problems];
  return `${facts.join("; ")}${where.length > 0 ? ` (found ${where.join("; ")})` : ""}`;
}

function remedyOf({ file, missing, markers }: Damage): string {
  const fenced = markers.find((one) => one.fence_line !== undefined);
  if (fenced && missing.includes(fenced.marker)) {
    return `In ${file}, close the code block that line ${fenced.fence_line} opens before line ${fenced.line}; then run it again.`;
  }
  if (missing.length > 0)
    return `In ${file}, restore the line ${missing.join(" and the line ")}; then run it again.`;
  return `In ${file}, leave each marker line once and in order: start, text, end; then run it again.`;
}
