import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type Document,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { breach, type Finding, type YamlLimits } from "./limits.ts";

/** Where the key and the value of one pointer stand in the text. */
export interface Place {
  value: number;
  key?: number;
}

/** A document as plain values, with the place of each. */
export interface Converted {
  value: unknown;
  findings: Finding[];
  places: Map<string, Place>;
}

const coreTags = new Set([
  "!",
  ...["str", "int", "float", "bool", "null", "map", "seq"].map((name) => `tag:yaml.org,2002:${name}`),
]);

/** One member of a JSON pointer, escaped. */
function pointerTo(parent: string, member: string | number): string {
  return `${parent}/${String(member).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/**
 * Turns composed nodes into plain values. Done here and not by the library, because the bounds must hold for what
 * aliases expand to, and each value's place must be kept. Throws LimitBreach.
 */
export function convert(document: Document, limits: YamlLimits): Converted {
  const out: Converted = { value: null, findings: [], places: new Map() };
  const walk = { out, limits, document, nodes: 0, aliases: 0 };
  out.value = visit(walk, document.contents, { pointer: "", depth: 0, offset: 0 });
  return out;
}

interface Walk {
  out: Converted;
  limits: YamlLimits;
  document: Document;
  nodes: number;
  aliases: number;
}

interface Spot {
  pointer: string;
  depth: number;
  /** Of the parent or the alias: where a node without a place of its own is said to be. */
  offset: number;
  key?: number;
}

function visit(walk: Walk, node: unknown, spot: Spot): unknown {
  const offset = offsetOf(node) ?? spot.offset;
  if (++walk.nodes > walk.limits.maxNodes) {
    throw breach("values", offset, { limit: walk.limits.maxNodes, found: walk.nodes });
  }
  if (!walk.out.places.has(spot.pointer)) {
    walk.out.places.set(spot.pointer, { value: offset, ...(spot.key !== undefined && { key: spot.key }) });
  }
  checkTag(walk, node, { pointer: spot.pointer, offset });
  if (isAlias(node)) return visit(walk, follow(walk, node, offset), { ...spot, offset });
  if (isScalar(node)) return node.value;
  if (!isMap(node) && !isSeq(node)) return null;
  if (spot.depth === walk.limits.maxDepth) {
    throw breach("levels of nesting", offset, { limit: walk.limits.maxDepth, found: spot.depth + 1 });
  }
  const inside = { ...spot, depth: spot.depth + 1, offset };
  return isMap(node) ? visitMap(walk, node, inside) : visitSequence(walk, node, inside);
}

function visitSequence(walk: Walk, node: YAMLSeq, spot: Spot): unknown[] {
  return node.items.map((member, i) =>
    visit(walk, member, { pointer: pointerTo(spot.pointer, i), depth: spot.depth, offset: spot.offset }),
  );
}

function visitMap(walk: Walk, node: YAMLMap, spot: Spot): Record<string, unknown> {
  const own = new Map<string, unknown>();
  const merges: Pair[] = [];
  for (const pair of node.items) {
    if (isMergeKey(pair.key)) merges.push(pair);
    else visitPair(walk, pair, { own, spot });
  }
  if (merges.length > 1)
    duplicate(walk, "<<", { pointer: spot.pointer, offset: offsetOf(merges[1]?.key) ?? spot.offset });
  const merged = merges[0] ? mergedFrom(walk, merges[0], spot) : [];
  // What a map says itself wins over what it merges, and an earlier merged map over a later one.
  for (const source of merged)
    for (const [key, value] of Object.entries(source)) if (!own.has(key)) own.set(key, value);
  // fromEntries defines members, so a key "__proto__" is one more key and not the prototype.
  return Object.fromEntries(own);
}

function visitPair(walk: Walk, pair: Pair, into: { own: Map<string, unknown>; spot: Spot }): void {
  const { own, spot } = into;
  const offset = offsetOf(pair.key) ?? spot.offset;
  const key = keyOf(walk, pair.key, { pointer: spot.pointer, offset });
  if (key === undefined) return;
  const pointer = pointerTo(spot.pointer, key);
  if (own.has(key)) return duplicate(walk, key, { pointer, offset });
  own.set(key, visit(walk, pair.value, { pointer, depth: spot.depth, offset, key: offset }));
}

function keyOf(walk: Walk, node: unknown, at: { pointer: string; offset: number }): string | undefined {
  const target = isAlias(node) ? follow(walk, node, at.offset) : node;
  checkTag(walk, target, at);
  if (target === null || target === undefined) return "";
  if (isScalar(target)) {
    walk.nodes++;
    // The text as it was written: `19.0:` is the key "19.0" and not "19".
    return target.type === "PLAIN" && target.source !== undefined
      ? target.source
      : String((target as Scalar).value ?? "");
  }
  walk.out.findings.push({
    kind: "syntax",
    ...at,
    message: "a key is a list or a mapping",
    hint: "use text for keys",
  });
  return undefined;
}

function isMergeKey(node: unknown): boolean {
  return isScalar(node) && node.type === "PLAIN" && node.source === "<<";
}

function mergedFrom(walk: Walk, pair: Pair, spot: Spot): Record<string, unknown>[] {
  const offset = offsetOf(pair.value) ?? spot.offset;
  const value = visit(walk, pair.value, { ...spot, offset });
  const sources: unknown[] = Array.isArray(value) ? value : [value];
  if (sources.every((source) => typeof source === "object" && source !== null && !Array.isArray(source))) {
    return sources as Record<string, unknown>[];
  }
  const message = 'the value of "<<" is neither a mapping nor a list of mappings';
  walk.out.findings.push({ kind: "syntax", pointer: spot.pointer, offset, message });
  return [];
}

function follow(walk: Walk, alias: Alias, offset: number): unknown {
  if (++walk.aliases > walk.limits.maxAliases) {
    throw breach("alias expansions", offset, { limit: walk.limits.maxAliases, found: walk.aliases });
  }
  // An alias of something that holds it expands until a bound stops it.
  const target = alias.resolve(walk.document);
  if (target) return target;
  walk.out.findings.push({
    kind: "syntax",
    offset,
    message: `the alias *${alias.source} names no anchor before it`,
  });
  return null;
}

function checkTag(walk: Walk, node: unknown, at: { pointer: string; offset: number }): void {
  const tag = (node as { tag?: string } | null)?.tag;
  if (tag === undefined || coreTags.has(tag)) return;
  const message = `the tag ${tag} is not one of the core tags`;
  walk.out.findings.push({ kind: "syntax", ...at, message, hint: "remove the tag" });
}

function duplicate(walk: Walk, key: string, at: { pointer: string; offset: number }): void {
  const message = `the key "${key}" stands twice in one mapping`;
  walk.out.findings.push({ kind: "duplicate", ...at, message, hint: "keep one of them" });
}

function offsetOf(node: unknown): number | undefined {
  return (node as { range?: [number, number, number] | null } | null)?.range?.[0];
}
