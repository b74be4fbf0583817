import type { Expression, Near } from "./ast.ts";
import { below } from "./findings.ts";
import { allOf, anyOf, type Query } from "./query.ts";
import { piecesOf } from "./resolve-words.ts";
import type { Outcome, Position, Resolving } from "./resolving.ts";

// A source counts every pair as a clause of its own.
const PAIRS_MAX = 50;

/**
 * Words within a distance. Two words, or groups of alternatives, become sloppy phrases; whatever else stands
 * beside a proximity operator is joined by AND, which finds more.
 */
export function resolveNear(resolver: Resolving, node: Near, at: Position): Outcome {
  const [left, right, ...more] = node.operands;
  const [join] = node.joins;
  const firsts = left && wordsOf(left, resolver);
  const seconds = right && wordsOf(right, resolver);
  const pairs = (firsts?.length ?? 0) * (seconds?.length ?? 0);
  if (!firsts || !seconds || !join || more.length > 0 || pairs > PAIRS_MAX) return joined(resolver, node, at);
  at.used();
  for (const operand of node.operands) noteOperators(resolver, operand, at);
  const terms = firsts.flatMap((one) =>
    seconds.map((other): Query => {
      const text = `"${one} ${other}"~${join.distance}`;
      return { kind: "term", text, scope: at.scope, wild: false };
    }),
  );
  const [only] = terms;
  const first = only?.kind === "term" ? only.text : "";
  const sent = terms.length === 1 ? first : `${first} and ${terms.length - 1} more such pairs`;
  resolver.note(node, at.frame, {
    construct: "proximity",
    action: "rewritten",
    change: join.ordered ? "broader" : "unknown",
    reason: join.ordered
      ? `sent as ${sent}, which finds the words in either order`
      : `sent as ${sent}: the source counts moves, not words between`,
  });
  return anyOf(terms);
}

function joined(resolver: Resolving, node: Near, at: Position): Outcome {
  const frame = below(at.frame, "and");
  resolver.note(node, at.frame, {
    construct: "proximity",
    action: "rewritten",
    change: node.operands.some(hasNot) ? "unknown" : "broader",
    reason: "only two single words, or groups of them, can be asked for by distance; these are joined by AND",
  });
  const parts = node.operands
    .map((operand) => resolver.expression(operand, { ...at, frame }))
    .filter((outcome) => outcome !== null && outcome !== "restriction");
  if (parts.length > 0) return allOf(parts);
  const reason = "no operand of it can be asked of this source";
  return resolver.drop(node, at.frame, { construct: "proximity", reason });
}

/** The plain words that an operand offers; null when it is more than alternatives of such. */
function wordsOf(operand: Expression, resolver: Resolving): string[] | null {
  if (operand.kind === "word") {
    const [piece, ...rest] = piecesOf(operand.text, resolver.dialect.separators);
    const plain = piece?.text === operand.text && rest.length === 0 && !/[*?$]/.test(operand.text);
    return plain && operand.fuzzy === null ? [operand.text] : null;
  }
  if (operand.kind !== "or") return null;
  const lists = operand.parts.map((part) => wordsOf(part, resolver));
  return lists.includes(null) ? null : lists.flatMap((list) => list ?? []);
}

function noteOperators(resolver: Resolving, operand: Expression, at: Position): void {
  if (operand.kind !== "or") return;
  for (const operator of operand.operators) resolver.operator(operator, "or", at.frame);
  for (const part of operand.parts) noteOperators(resolver, part, at);
}

/** Whether something in it is negated. */
export function hasNot(node: Expression): boolean {
  if (node.kind === "not") return true;
  if (node.kind === "and" || node.kind === "or") return node.parts.some(hasNot);
  if (node.kind === "near") return node.operands.some(hasNot);
  return node.kind === "field" && hasNot(node.value);
}
