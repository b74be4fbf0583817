import { Composer, type Document, type LineCounter } from "yaml";
import { convert, type Converted } from "./yaml/convert.ts";
import { decodeText } from "./yaml/decode.ts";
import {
  LimitBreach,
  yamlLimits,
  type Finding,
  type Position,
  type YamlLimits,
  type YamlProblem,
} from "./yaml/limits.ts";
import { readTokens, type Tokens } from "./yaml/tokens.ts";

export { yamlLimits, type Position, type YamlLimits, type YamlProblem } from "./yaml/limits.ts";

/** A document that was read; with problems of syntax or limits it has no value. */
export interface YamlDocument {
  value: unknown;
  /** In order of their place. */
  problems: YamlProblem[];
  /** Where a value stands, or its key; of what is not there, the nearest that holds it. */
  locate(pointer: string, part?: "value" | "key"): Position;
}

/**
 * Reads one YAML 1.2 document (core schema) with merge keys; never throws.
 *
 * Refuses other tags, repeated keys, tabs in indentation, a second document, and what exceeds the bounds.
 */
export function readYaml(input: Uint8Array | string, limits: Partial<YamlLimits> = {}): YamlDocument {
  const bounds = { ...yamlLimits, ...limits };
  const decoded = decodeText(input, bounds);
  if ("finding" in decoded) {
    const { offset: _, ...problem } = decoded.finding;
    const position = { line: decoded.line, column: 1 };
    return { value: undefined, problems: [{ pointer: "", ...position, ...problem }], locate: () => position };
  }
  try {
    return build(decoded.text, bounds);
  } catch (error) {
    return refused(decoded.text, error);
  }
}

function build(text: string, limits: YamlLimits): YamlDocument {
  const tokens = readTokens(text, limits);
  const composed = compose(tokens, text.length);
  const converted: Converted = composed.document
    ? convert(composed.document, limits)
    : { value: null, findings: [], places: new Map() };
  const findings = [...composed.findings, ...converted.findings].sort((a, b) => a.offset - b.offset);
  const at = (offset: number) => positionOf(tokens.lines, offset);
  const broken = findings.some((finding) => finding.kind !== "duplicate");
  return {
    value: broken ? undefined : converted.value,
    problems: findings.map(({ offset, ...rest }) => ({ pointer: "", ...at(offset), ...rest })),
    locate: (pointer, part = "value") => at(offsetIn(converted.places, pointer, part)),
  };
}

function compose(tokens: Tokens, length: number): { document?: Document; findings: Finding[] } {
  // What the library would check or expand by itself is switched off where this module does it.
  const composer = new Composer({
    schema: "core",
    version: "1.2",
    uniqueKeys: false,
    resolveKnownTags: false,
    logLevel: "silent",
    prettyErrors: false,
  });
  const documents = composer.compose(tokens.tokens, true, length);
  const document = documents.next().value as Document | undefined;
  const findings = [...tokens.tabs];
  for (const { code, pos, message } of document?.errors ?? []) {
    const known = code === "TAG_RESOLVE_FAILED" || (code === "TAB_AS_INDENT" && tokens.tabs.length > 0);
    if (!known) findings.push({ kind: "syntax", offset: pos[0], message: message.split("\n")[0] ?? message });
  }
  const second = documents.next().value as Document | undefined;
  if (second) {
    const offset = second.range?.[0] ?? length;
    findings.push({
      kind: "syntax",
      offset,
      message: "the file holds more than one document",
      hint: "keep the first",
    });
  }
  return { document, findings };
}

function refused(text: string, error: unknown): YamlDocument {
  const finding: Finding =
    error instanceof LimitBreach
      ? error.finding
      : { kind: "syntax", offset: 0, message: "the document cannot be read as YAML" };
  const { offset, ...rest } = finding;
  const before = text.slice(0, offset);
  const position = { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
  return { value: undefined, problems: [{ pointer: "", ...position, ...rest }], locate: () => position };
}

function positionOf(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

function offsetIn(places: Converted["places"], pointer: string, part: "value" | "key"): number {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf("/"))) {
    const place = places.get(at);
    if (place) return part === "key" ? (place.key ?? place.value) : place.value;
    if (at === "" || !at.includes("/")) return 0;
  }
}
