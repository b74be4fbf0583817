import { CST, Lexer, LineCounter, Parser } from "yaml";
import { breach, type Finding, type YamlLimits } from "./limits.ts";

/** The tokens of a text, in at most as much memory as the bounds allow. */
export interface Tokens {
  tokens: CST.Token[];
  lines: LineCounter;
  /** Lines whose indentation holds a tab. */
  tabs: Finding[];
}

const collections = new Set(["block-map", "block-seq", "flow-collection"]);
// Lexemes of a full document come to a handful for each node; beyond this only emptiness is being parsed.
const LEXEMES_PER_NODE = 10;

/**
 * Splits a text into tokens, counting while it reads: a bomb is refused before it is built.
 * Throws LimitBreach.
 */
export function readTokens(text: string, limits: YamlLimits): Tokens {
  const parser = new Parser();
  const read: Tokens = { tokens: [], lines: new LineCounter(), tabs: [] };
  const counts = { lexemes: 0, nodes: 0, documents: 0 };
  const tabs = tabWatch(read.tabs);
  read.lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    const at = parser.offset;
    addLines(read.lines, lexeme, at);
    tabs(lexeme, at);
    count(counts, { lexeme, at, limits });
    for (const token of parser.next(lexeme)) {
      read.tokens.push(token);
      if (token.type === "document") counts.documents++;
    }
    // A second document is refused whatever it holds.
    if (counts.documents > 1) break;
    // Only collections make the stack deep, so a short one needs no counting.
    const depth = parser.stack.length > limits.maxDepth ? depthOf(parser.stack) : 0;
    if (depth > limits.maxDepth)
      throw breach("levels of nesting", at, { limit: limits.maxDepth, found: depth });
  }
  read.tokens.push(...parser.end());
  return read;
}

function addLines(lines: LineCounter, lexeme: string, offset: number): void {
  for (let i = lexeme.indexOf("\n"); i >= 0; i = lexeme.indexOf("\n", i + 1))
    lines.addNewLine(offset + i + 1);
}

function count(
  counts: { lexemes: number; nodes: number },
  at: { lexeme: string; at: number; limits: YamlLimits },
): void {
  const { maxNodes } = at.limits;
  const type = CST.tokenType(at.lexeme);
  const isNode =
    type === "scalar" ||
    type === "alias" ||
    type === "seq-item-ind" ||
    type === "map-value-ind" ||
    type === "single-quoted-scalar" ||
    type === "double-quoted-scalar" ||
    type === "comma" ||
    type === "flow-map-start" ||
    type === "flow-seq-start" ||
    type === "explicit-key-ind";
  if (isNode) counts.nodes++;
  // An indicator and its scalar both count here, so this is coarse; the exact count follows with the values.
  if (counts.nodes > maxNodes * 3) throw breach("values", at.at, { limit: maxNodes, found: maxNodes + 1 });
  const most = maxNodes * LEXEMES_PER_NODE;
  if (++counts.lexemes > most)
    throw breach("words, marks and line breaks", at.at, { limit: most, found: most + 1 });
}

function depthOf(stack: readonly CST.Token[]): number {
  let depth = 0;
  for (const token of stack) if (collections.has(token.type)) depth++;
  return depth;
}

// Scalars over several lines are one lexeme each, so a tab inside one is not seen as indentation.
function tabWatch(found: Finding[]): (lexeme: string, offset: number) => void {
  let atLineStart = true;
  let tabAt = -1;
  return (lexeme, offset) => {
    if (atLineStart && /^[ \t]+$/.test(lexeme)) {
      if (tabAt < 0 && lexeme.includes("\t")) tabAt = offset + lexeme.indexOf("\t");
      return;
    }
    const endsLine = lexeme.endsWith("\n");
    if (tabAt >= 0 && !endsLine && !lexeme.startsWith("#")) {
      found.push({
        kind: "syntax",
        offset: tabAt,
        message: "a tab is used for indentation",
        hint: "indent with spaces",
      });
    }
    tabAt = -1;
    atLineStart = endsLine;
  };
}
