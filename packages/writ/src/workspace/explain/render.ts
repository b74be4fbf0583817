import type { Style } from "../../contract/index.ts";
import type { FileExplained } from "./file.ts";
import type { FileSource } from "./file-sources.ts";
import { ruleWords } from "./file-rule.ts";
import { referenceLines } from "./render-references.ts";

/** Any other reference for people: in sentences where its kind has them, else its facts one under the other. */
export function renderReference(data: Explained, style: Style): string {
  const kind = data.reference.split(":")[0] ?? "";
  if (!Object.hasOwn(referenceLines, kind)) return renderFacts(data, style);
  const lines = referenceLines[kind as keyof typeof referenceLines] as (
    of: unknown,
    style: Style,
  ) => string[];
  const reason = typeof data["reason"] === "string" ? [data["reason"]] : [];
  return [...lines(data, style), ...reason, ...nextLines(data.next ?? [])].join("\n");
}

function renderFacts(data: Explained, style: Style): string {
  const { workspace: _, reference, next, ...facts } = data;
  const told = Object.entries(facts).flatMap(([key, value]) => {
    const text = factText(value);
    return text === "" ? [] : [[key.replaceAll("_", " "), text] as const];
  });
  const width = Math.max(0, ...told.map(([key]) => key.length));
  return [
    style.bold(reference),
    ...told.map(([key, text]) => `  ${key.padEnd(width)}  ${text}`),
    ...nextLines(next ?? []),
  ].join("\n");
}

interface Explained {
  reference: string;
  next?: string[];
  [fact: string]: unknown;
}

function factText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(factText).join(", ");
  if (typeof value !== "object") return String(value);
  const { file, line, value: given, from } = value as Record<string, unknown>;
  if (typeof file === "string") return `${file}:${String(line)}`;
  return from === undefined ? JSON.stringify(value) : `${factText(given)} (${String(from)})`;
}

function nextLines(next: readonly string[]): string[] {
  return next.map((command, at) => `${at === 0 ? "Next    " : "        "} ${command}`);
}

/** A file for people: its state and where it comes from, what it hides, and the rule. */
export function renderFile(file: FileExplained, style: Style): string {
  const { winner, losers, state, rule, path } = file;
  const rows = [
    ...(winner ? [row(state, `from ${winner.stack}`, winner)] : []),
    ...losers.map((one) => row("over", one.stack, one)),
  ];
  const table = rows.length > 0 ? aligned(rows) : [`${state.padEnd(8)} ${path}`];
  return [
    ...table.map((line) => line.trimEnd()),
    ...(file.derived_from === undefined ? [] : [`Made from ${file.derived_from}.`]),
    ...(file.conflict
      ? [
          `Conflict: ${file.conflict.reason.replaceAll("_", " ")}; the other side is in ${file.conflict.theirs_path}.`,
        ]
      : []),
    `Rule: ${style.bold(rule)} (${ruleWords[rule]}).`,
    ...(file.reason === undefined ? [] : [file.reason]),
    ...nextLines(file.next),
  ].join("\n");
}

type Row = readonly [state: string, stack: string, repo: string, source: string, place: string];

function row(state: string, stack: string, source: FileSource): Row {
  const { repo, commit, declared_at: at } = source;
  const commitText = commit === null ? "" : `@${commit.slice(0, 8)}`;
  return [state, stack, `${repo ?? ""}${commitText}`, source.source, at ? `(${at.file}:${at.line})` : ""];
}

function aligned(rows: readonly Row[]): string[] {
  const width = (column: number) => Math.max(...rows.map((one) => one[column]?.length ?? 0));
  const widths = [Math.max(8, width(0)), width(1), width(2), width(3)];
  return rows.map((cells) => cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  "));
}
