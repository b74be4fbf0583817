import type { Row } from "../library/database.ts";
import { type NetworkFile, textOf } from "./network-file.ts";

const mark = "\ufeff";

/** A line of RFC 4180, ended by LF; undefined is an empty cell. */
export function csvLine(cells: readonly (string | undefined)[]): string {
  return `${cells.map((cell = "") => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\n`;
}

/** Text that a spreadsheet would run as a formula is shown as text. */
export function harmless(text: string | undefined): string | undefined {
  return text !== undefined && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** `id, label`, then what else is known, by name. With the mark by which spreadsheets know UTF-8. */
export async function* nodesCsv(network: NetworkFile): AsyncGenerator<string> {
  const columns = network.nodeColumns.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  yield mark + csvLine(["id", "label", ...columns.map(({ name }) => name)]);
  for await (const row of network.nodes()) {
    const cells = columns.map(({ name, type }) => cellOf(row, name, type === "string"));
    yield csvLine([cellOf(row, "id", true), cellOf(row, "label", true), ...cells]);
  }
}

/** `source, target, weight, …`. */
export async function* edgesCsv(network: NetworkFile): AsyncGenerator<string> {
  const names = network.edgeColumns.map(({ name }) => name);
  yield mark + csvLine(["source", "target", ...names]);
  for await (const row of network.edges()) {
    const ends = ["source", "target"].map((name) => cellOf(row, name, true));
    yield csvLine([...ends, ...names.map((name) => cellOf(row, name, false))]);
  }
}

function cellOf(row: Row, name: string, isText: boolean): string | undefined {
  const text = textOf(row[name]);
  return isText ? harmless(text) : text;
}
