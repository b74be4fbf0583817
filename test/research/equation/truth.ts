import type { Expression } from "../../../packages/writ/src/research/equation/ast.ts";
import { parseEquation } from "../../../packages/writ/src/research/equation/parse.ts";
import type { ReportItem } from "../../../packages/writ/src/research/equation/report.ts";
import type { Translation } from "../../../packages/writ/src/research/equation/translation.ts";

const ownWord = /w[a-j]\d+z/g;

/** The tree with a word of its own in each place, so that what occurs can be told from what does not. */
export function withOwnWords(tree: Expression): Expression {
  let count = 0;
  const own = (text: string): string =>
    text.replaceAll(/[a-z]{3,}/g, () => `w${"abcdefghij"[count % 10]}${count++}z`);
  const walk = (node: Expression): Expression => {
    if (node.kind === "word" || node.kind === "phrase") return { ...node, text: own(node.text) };
    if (node.kind === "near") return { ...node, operands: node.operands.map(walk) };
    if (node.kind === "and" || node.kind === "or") return { ...node, parts: node.parts.map(walk) };
    if (node.kind === "not") return { ...node, of: walk(node.of) };
    return node.kind === "field" ? { ...node, value: walk(node.value) } : node;
  };
  return walk(tree);
}

/** What a report says that is not so, and what is so and it does not say; empty when it is true. */
export function lies(text: string, translation: Translation): string[] {
  return [
    ...translation.report.flatMap((item) => {
      if (item.action === "dropped") return stillThere(item, translation);
      return item.action === "rewritten" ? notRewritten(item, translation) : [];
    }),
    ...untold(text, translation),
  ];
}

/** What is dropped does not occur, in any form. */
function stillThere(item: ReportItem, { source, executedQuery }: Translation): string[] {
  const { text, construct, effect } = item;
  // Crossref loses what joins and marks words, not the words; a field that was never used loses nothing.
  const onlySigns = source === "crossref" || (construct === "field" && effect === "same");
  const words = onlySigns ? [] : (text.match(ownWord) ?? []);
  return [text, ...words].filter((one) => executedQuery.includes(one)).map((one) => `${one} is still there`);
}

const sentForm =
  /^sent as (?:“([^”]+)”|("[^"]+"~\d+)|([a-z_]+\.search|[a-z_.]+:\S+|[a-zA-Z]+=.+)|(w\S+(?: OR \S+)*))/;

/** What is rewritten occurs in its new form and not in its old one. */
function notRewritten({ construct, text, reason }: ReportItem, { executedQuery }: Translation): string[] {
  const hasNewForm = ["field", "proximity", "comma"].includes(construct) || text.includes("$");
  const old = hasNewForm && text !== "," && executedQuery.includes(text) ? [`${text} is still there`] : [];
  const form = sentForm
    .exec(reason)
    ?.slice(1)
    .find((group) => group !== undefined);
  const sent = form?.replace(/;$/, "");
  const absent =
    sent !== undefined && !executedQuery.includes(sent) ? [`${text} is not there as ${sent}`] : [];
  return [...old, ...absent];
}

/** A construct without an item occurs as typed. */
function untold(text: string, { executedQuery, report }: Translation): string[] {
  return leavesOf(parseEquation(text).root).flatMap(({ at: { from, to }, asked }) => {
    const typed = text.slice(from, to);
    const told = report.some(({ position, text: { length }, construct, action }) => {
      const inside = position !== null && position <= from && position + length >= to;
      // A field changes where its words are looked for, not the words.
      return inside && !(construct === "field" && action === "rewritten" && asked);
    });
    return told || executedQuery.includes(typed) ? [] : [`${typed} is neither there nor told of`];
  });
}

interface Leaf {
  at: { from: number; to: number };
  /** Looked for as words, rather than held by a restriction. */
  asked: boolean;
}

function leavesOf(node: Expression, asked = true): Leaf[] {
  switch (node.kind) {
    case "word":
    case "phrase":
      return [{ at: node.at, asked }];
    case "near":
      return node.operands.flatMap((operand) => leavesOf(operand, asked));
    case "and":
    case "or":
      return node.parts.flatMap((part) => leavesOf(part, asked));
    case "not":
      return leavesOf(node.of, asked);
    case "field":
      return leavesOf(node.value, asked && ["ti", "ab", "ts", "tak", "tiab", "ak"].includes(node.tag));
    case "years":
      return [];
  }
}

/** Whether AND and OR meet in one pair of brackets, where the service gives neither precedence. */
export function isAmbiguous(expression: string): boolean {
  const levels: { any: boolean; all: boolean; terms: number }[] = [{ any: false, all: false, terms: 0 }];
  let operator: string | undefined;
  for (const [token] of expression.matchAll(/"[^"]*"(?:~\d+)?|[()]|[^\s()"]+/g)) {
    const level = levels.at(-1);
    if (!level) return true;
    if (token === ")") {
      if (level.any && level.all) return true;
      levels.pop();
    } else if (token === "AND" || token === "OR") operator = token;
    else if (token === "NOT") level.all = true;
    else {
      if (level.terms > 0 && operator === "OR") level.any = true;
      else if (level.terms > 0) level.all = true;
      level.terms += 1;
      if (token === "(") levels.push({ any: false, all: false, terms: 0 });
      operator = undefined;
    }
  }
  return levels.some(({ any, all }) => any && all);
}
