import { compareBytes } from "./assets.ts";
import { sha256 } from "../swap/hashes.ts";
import type { Damage } from "./markers.ts";
import { linesOf, type Line } from "./text-lines.ts";

const file = ".gitignore";
const opener = "# >>> writ";
const closer = "# <<< writ";

export interface IgnoreBlock {
  /** The whole new file; the existing bytes when its block is right. */
  bytes: Buffer;
  changed: boolean;
  /** Hash of the block that stands there; absent when there is none. */
  local?: string;
  /** Hash of the block in `bytes`. */
  next: string;
}

/** Always ignored: what is composed, Writ's state, and the files that are private by name. */
const constant = ["/.agents/", "/.stack/", "/.writ/", "/CLAUDE.local.md", "/WORKSPACE_PRIVATE.md"];

/** The line that ignores exactly this path of the workspace; a folder's path ends in a slash. */
export function ignoreLine(path: string): string {
  return `/${path.replace(/[\\*?[\]]/g, "\\$&").replace(/ +$/, (spaces) => "\\ ".repeat(spaces.length))}`;
}

/**
 * Writes the block of generated paths; every byte outside it is copied as it is. A block whose markers are
 * damaged is told and nothing is written.
 */
export function composeIgnore(
  existing: Buffer | null,
  paths: readonly string[],
): IgnoreBlock | { damage: Damage } {
  const bytes = existing ?? Buffer.alloc(0);
  const lines = linesOf(bytes);
  const markers = lines.flatMap((line, index) => (isMarker(line) ? [{ line, number: index + 1 }] : []));
  const [first, second] = markers;
  const entries = [...new Set([...constant, ...paths.map(ignoreLine)])].toSorted(compareBytes);
  if (!first) return appended(bytes, lines, entries);
  if (!second || markers.length > 2 || nameOf(first.line) !== opener || nameOf(second.line) !== closer) {
    return { damage: damageOf(markers) };
  }
  const eol = first.line.next - first.line.end === 2 ? "\r\n" : "\n";
  const local = blockHash(bytes.toString("utf8", first.line.next, second.line.start));
  const next = blockHash(blockText(entries, "\n"));
  if (local === next) return { bytes, changed: false, local, next };
  const replaced = [
    bytes.subarray(0, first.line.next),
    Buffer.from(blockText(entries, eol)),
    bytes.subarray(second.line.start),
  ];
  return { bytes: Buffer.concat(replaced), changed: true, local, next };
}

function appended(bytes: Buffer, lines: readonly Line[], entries: readonly string[]): IgnoreBlock {
  const [firstLine] = lines;
  const last = lines.at(-1);
  const eol = firstLine && firstLine.next - firstLine.end === 2 ? "\r\n" : "\n";
  const gap = !last ? "" : last.next === last.end ? `${eol}${eol}` : last.start === last.end ? "" : eol;
  const block = `${gap}${opener}${eol}${blockText(entries, eol)}${closer}${eol}`;
  return {
    bytes: Buffer.concat([bytes, Buffer.from(block)]),
    changed: true,
    next: blockHash(blockText(entries, "\n")),
  };
}

function blockText(entries: readonly string[], eol: string): string {
  return entries.map((entry) => `${entry}${eol}`).join("");
}

function blockHash(text: string): string {
  return sha256(text.replaceAll("\r\n", "\n"));
}

function nameOf(line: Line): string {
  return line.text.trimEnd();
}

function isMarker(line: Line): boolean {
  return nameOf(line) === opener || nameOf(line) === closer;
}

function damageOf(markers: readonly { line: Line; number: number }[]): Damage {
  const found = markers.map(({ line, number }) => ({ marker: nameOf(line), line: number }));
  const missing = [opener, closer].filter((name) => !found.some(({ marker }) => marker === name));
  const twice = [opener, closer].filter((name) => found.filter(({ marker }) => marker === name).length > 1);
  const problems = twice.map((name) => `"${name}" stands more than once`);
  if (missing.length === 0 && problems.length === 0)
    problems.push("the end of the block stands before its start");
  return { file, markers: found, missing, problems };
}
