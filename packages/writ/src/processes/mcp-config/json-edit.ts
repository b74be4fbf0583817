import { type JsonMember, type JsonNode, scanJson } from "./json-scan.ts";

/** What an insertion made besides the entry, so that it can be taken back exactly. */
export interface JsonMade {
  /** How many of the path's objects were there already. */
  depth: number;
  /** The white space of the object that was empty. */
  inner?: string;
}

export interface JsonPlace {
  comments: boolean;
  /** The keys that lead to the entry. */
  path: readonly string[];
}

/** The value at a path, or undefined; throws when something that is no object stands in the way. */
export function readJsonAt(source: string, { comments, path }: JsonPlace): unknown {
  let node: JsonNode | undefined = scanJson(source, { comments });
  for (const key of path) {
    if (!node) return undefined;
    requireObject(node, key);
    node = memberOf(node, key)?.value;
  }
  return node && plainValue(source.slice(node.start, node.end), comments);
}

/** Adds a value at the end of the object it belongs to; every other byte stays. */
export function insertJson(
  source: string,
  place: JsonPlace,
  value: unknown,
): { text: string; made: JsonMade } {
  const { comments, path } = place;
  let node = scanJson(source, { comments });
  const root = node;
  let depth = 0;
  for (; depth < path.length - 1; depth++) {
    requireObject(node, path[depth] ?? "");
    const next = memberOf(node, path[depth] ?? "")?.value;
    if (!next) break;
    node = next;
  }
  requireObject(node, path[depth] ?? "");
  const rest = path.slice(depth + 1);
  const nested = rest.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return addMember(source, { root, object: node }, { key: path[depth] ?? "", value: nested, depth });
}

/** Takes a value out again, with the objects that were made for it and hold nothing else. */
export function removeJson(source: string, place: JsonPlace, made: JsonMade | undefined): string {
  const { comments, path } = place;
  const nodes = [scanJson(source, { comments })];
  for (const key of path.slice(0, -1)) {
    const next: JsonNode | undefined = memberOf(nodes.at(-1), key)?.value;
    if (next) nodes.push(next);
  }
  const lowest = made?.depth ?? path.length - 1;
  let level = path.length - 1;
  while (level > lowest && nodes[level]?.members?.length === 1) level--;
  const object = nodes[level];
  const member = memberOf(object, path[level] ?? "");
  return object && member
    ? cut(source, { object, member, inner: level === lowest ? made?.inner : undefined })
    : source;
}

function memberOf(node: JsonNode | undefined, key: string): JsonMember | undefined {
  return node?.members?.find((member) => member.key === key);
}

function requireObject(node: JsonNode, key: string): void {
  if (!node.members) throw new TypeError(`what would hold "${key}" is no object`);
}

/** The value of a piece of JSON that may hold comments and trailing commas. */
function plainValue(source: string, comments: boolean): unknown {
  if (!comments) return JSON.parse(source);
  const build = (node: JsonNode): unknown => {
    if (node.members) return Object.fromEntries(node.members.map(({ key, value }) => [key, build(value)]));
    const piece = source.slice(node.start, node.end);
    return piece.startsWith("[") ? JSON.parse(withoutComments(piece)) : JSON.parse(piece);
  };
  return build(scanJson(source, { comments }));
}

function withoutComments(piece: string): string {
  const token = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=\s*[\]}])/g;
  return piece.replace(token, (found) => (found.startsWith('"') ? found : ""));
}

interface Within {
  root: JsonNode;
  object: JsonNode;
}

function addMember(
  source: string,
  { root, object }: Within,
  added: { key: string; value: unknown; depth: number },
): { text: string; made: JsonMade } {
  const eol = source.includes("\r\n") ? "\r\n" : "\n";
  const unit = indentBefore(source, root.members?.[0]?.start) ?? "  ";
  const members = object.members ?? [];
  const last = members.at(-1);
  const indent = last ? indentBefore(source, last.start) : `${indentOfLine(source, object.start)}${unit}`;
  const json = (space: string) =>
    JSON.stringify(added.value, null, space).replaceAll("\n", `${eol}${indent ?? ""}`);
  const written =
    indent === undefined
      ? `${JSON.stringify(added.key)}: ${JSON.stringify(added.value)}`
      : `${JSON.stringify(added.key)}: ${json(unit)}`;
  if (last) {
    const at = last.value.end;
    const glue = indent === undefined ? ", " : `,${eol}${indent}`;
    return {
      text: `${source.slice(0, at)}${glue}${written}${source.slice(at)}`,
      made: { depth: added.depth },
    };
  }
  const [open, close] = [object.start + 1, object.end - 1];
  const inner = source.slice(open, close);
  const blank = inner.trim() === "";
  const tail = blank ? `${eol}${indentOfLine(source, object.start)}` : inner;
  const text = `${source.slice(0, open)}${eol}${indent ?? ""}${written}${tail}${source.slice(close)}`;
  return { text, made: { depth: added.depth, ...(blank && inner !== "" && { inner }) } };
}

/** The white space before something that begins its line; undefined when other text stands before it. */
function indentBefore(source: string, at: number | undefined): string | undefined {
  if (at === undefined) return undefined;
  const before = source.slice(source.lastIndexOf("\n", at - 1) + 1, at);
  return at > 0 && source.lastIndexOf("\n", at - 1) >= 0 && before.trim() === "" ? before : undefined;
}

function indentOfLine(source: string, at: number): string {
  return /^[ \t]*/.exec(source.slice(source.lastIndexOf("\n", at - 1) + 1, at))?.[0] ?? "";
}

function cut(
  source: string,
  { object, member, inner }: { object: JsonNode; member: JsonMember; inner: string | undefined },
): string {
  const members = object.members ?? [];
  const at = members.indexOf(member);
  const [before, after] = [members[at - 1], members[at + 1]];
  if (before) return source.slice(0, before.value.end) + source.slice(member.value.end);
  if (after) return source.slice(0, member.start) + source.slice(after.start);
  const rest = source.slice(member.value.end, object.end - 1).replace(/^\s*,/, "");
  const left = rest.trim() === "" ? (inner ?? "") : rest;
  return `${source.slice(0, object.start + 1)}${left}${source.slice(object.end - 1)}`;
}
