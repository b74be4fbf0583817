import type { And, Ast, Expression, Field, Not, Operator, Or, Place, Years } from "./ast.ts";
import type { Dialect, Restricting, Restriction } from "./dialect.ts";
import { restrictedYears, valuesOf } from "./dialect.ts";
import { below, type Finding, type Frame } from "./findings.ts";
import { allOf, anyOf, type Query } from "./query.ts";
import { hasNot, resolveNear } from "./resolve-near.ts";
import { resolvePhrase, resolveWord } from "./resolve-words.ts";
import type { Outcome, Position, Resolving } from "./resolving.ts";

/** An equation in a source's terms. */
export interface Resolved {
  query: Query | null;
  restrictions: Restriction[];
  findings: Finding[];
}

/** Says an equation in a dialect, and what could not be said in it. Pure. */
export function resolve(ast: Ast, dialect: Dialect, alone: boolean): Resolved {
  const root: Frame = { kind: "root", up: null, vanished: false };
  const resolver = new Resolver(ast.text, dialect);
  const outcome = resolver.expression(ast.root, {
    frame: root,
    top: true,
    scope: "both",
    used: () => undefined,
    whole: alone,
  });
  for (const comma of ast.commas) resolver.comma(comma, root);
  return {
    query: typeof outcome === "string" ? null : outcome,
    restrictions: resolver.restrictions,
    findings: resolver.findings,
  };
}

/** One walk over an equation; it collects findings and restrictions on the way. */
class Resolver implements Resolving {
  readonly findings: Finding[] = [];
  readonly restrictions: Restriction[] = [];
  readonly dialect: Dialect;
  private readonly text: string;
  private readonly gone: Place[] = [];

  constructor(text: string, dialect: Dialect) {
    this.text = text;
    this.dialect = dialect;
  }

  expression(node: Expression, at: Position): Outcome {
    switch (node.kind) {
      case "word":
        return resolveWord(this, node, at);
      case "phrase":
        return resolvePhrase(this, node, at);
      case "near":
        return resolveNear(this, node, { ...at, top: false, whole: false });
      case "not":
        return this.not(node, at);
      case "and":
        return this.and(node, at);
      case "or":
        return this.or(node, at);
      case "field":
        return this.field(node, at);
      case "years":
        return this.restriction(node, restrictedYears(node.ranges), at);
    }
  }

  note(node: { at: Place }, frame: Frame, finding: Omit<Finding, "text" | "position" | "frame">): void {
    const { from, to } = node.at;
    this.findings.push({ ...finding, text: this.text.slice(from, to), position: from, frame });
  }

  drop(node: { at: Place }, frame: Frame, dropped: Pick<Finding, "construct" | "reason">): null {
    const { from, to } = node.at;
    for (let i = this.findings.length - 1; i >= 0; i--) {
      const position = this.findings[i]?.position ?? -1;
      if (position >= from && position < to) this.findings.splice(i, 1);
    }
    this.gone.push(node.at);
    this.note(node, frame, { ...dropped, action: "dropped", change: "dropped" });
    return null;
  }

  comma(position: number, frame: Frame): void {
    if (this.gone.some(({ from, to }) => position >= from && position < to)) return;
    this.note({ at: { from: position, to: position + 1 } }, frame, {
      construct: "comma",
      action: "rewritten",
      change: "same",
      reason: "a comma separates words, and is sent as a space",
    });
  }

  private and(node: And, at: Position): Outcome {
    const frame = below(at.frame, "and");
    const outcomes = node.parts.map((part) => this.expression(part, { ...at, frame, whole: false }));
    const parts: Query[] = [];
    const beside: boolean[] = [];
    let any = false;
    outcomes.forEach((outcome, i) => {
      if (outcome === null) return;
      const operator = node.operators[i - 1] ?? null;
      const between = outcome !== "restriction" && parts.length > 0;
      if (any && operator && (between || this.dialect.signs === null)) this.operator(operator, "and", frame);
      any = true;
      if (outcome === "restriction") return;
      parts.push(outcome);
      beside.push(operator === null);
    });
    if (parts.length > 0) return allOf(parts, beside);
    frame.vanished = !any;
    return any ? "restriction" : null;
  }

  private or(node: Or, at: Position): Outcome {
    const merged = at.top ? this.merged(node) : null;
    if (merged) return this.restriction(node, merged, at);
    const frame = below(at.frame, "or");
    const parts: Query[] = [];
    node.parts.forEach((part, i) => {
      const outcome = this.expression(part, { ...at, frame, top: false, whole: false });
      if (outcome === null || outcome === "restriction") return;
      const operator = node.operators[i - 1];
      if (parts.length > 0 && operator) this.operator(operator, "or", frame);
      parts.push(outcome);
    });
    if (parts.length > 0) return anyOf(parts);
    frame.vanished = true;
    return null;
  }

  private not(node: Not, at: Position): Outcome {
    const frame = below(at.frame, "not");
    const outcome = this.expression(node.of, { ...at, frame, top: false, whole: false });
    if (outcome === null || outcome === "restriction") {
      frame.vanished = true;
      return null;
    }
    this.operator(node.operator, "not", frame);
    return { kind: "not", of: outcome };
  }

  operator({ text, at }: Operator, word: "and" | "or" | "not", frame: Frame): void {
    const sign = this.dialect.signs?.[word] ?? word.toUpperCase();
    if (text === sign) return;
    const isWord = text.toLowerCase() === sign.toLowerCase();
    this.note({ at }, frame, {
      construct: "case",
      action: isWord ? "kept" : "rewritten",
      change: "same",
      reason: isWord
        ? `“${text}” is read as the operator ${sign}; a phrase in quotes is read as words`
        : `sent as “${sign}”`,
    });
  }

  private field(node: Field, at: Position): Outcome {
    const scoped = this.dialect.scopes[node.tag];
    if (!scoped) return this.restriction(node, this.dialect.restrict(node.tag, valuesOf(node.value)), at);
    let used = false;
    const take = (): void => {
      used = true;
    };
    const inside = { ...at, scope: scoped.scope, used: take };
    const outcome = this.expression(node.value, inside);
    if (outcome === null) {
      const reason = "nothing in it can be asked of this source";
      return this.drop(node, at.frame, { construct: "field", reason });
    }
    // What is looked for in fewer places finds less, and what is negated there excludes less.
    const effect = scoped.effect !== "same" && hasNot(node.value) ? "unknown" : scoped.effect;
    this.note(node, at.frame, {
      construct: "field",
      action: used ? "rewritten" : "dropped",
      change: used ? effect : "same",
      reason: used ? scoped.reason : "each word in it has a field of its own",
      ...(used ? { scope: scoped.scope } : {}),
    });
    return outcome;
  }

  private restriction(node: Field | Years | Or, restricting: Restricting, at: Position): Outcome {
    if (restricting.refused !== undefined)
      return this.drop(node, at.frame, { construct: "field", reason: restricting.refused });
    if (!at.top) {
      const reason = "it restricts the whole query, and can stand only under AND at the top";
      return this.drop(node, at.frame, { construct: "field", reason });
    }
    const { restriction, unknown } = restricting;
    this.restrictions.push(restriction);
    this.note(node, at.frame, {
      construct: "field",
      action: "rewritten",
      change: "same",
      reason: this.dialect.said(restriction),
    });
    // Values are alternatives: one fewer finds less.
    for (const text of unknown)
      this.findings.push({
        construct: "field",
        text,
        position: node.at.from,
        action: "dropped",
        change: "dropped",
        frame: below(at.frame, "or"),
        reason: "this source does not know the word",
      });
    return "restriction";
  }

  /** Alternatives that are values of one restriction (`LA=en OR LA=es`); null when they are not. */
  private merged(node: Or): Restricting | null {
    const each = node.parts.map((part) => this.restricted(part));
    const keys = new Set(each.map((one) => one?.restriction?.key));
    const [key] = keys;
    if (keys.size !== 1 || key === undefined) return null;
    const ranges = node.parts.flatMap((part) => (part.kind === "years" ? part.ranges : []));
    if (key === "years") {
      const years = restrictedYears(ranges);
      return years.refused === undefined ? years : null;
    }
    const values = each.flatMap((one) => one?.restriction?.values ?? []);
    const unknown = each.flatMap((one) => (one?.refused === undefined ? (one?.unknown ?? []) : []));
    return { restriction: { key, values: [...new Set(values)] }, unknown };
  }

  private restricted(part: Expression): Restricting | null {
    if (part.kind === "years") return restrictedYears(part.ranges);
    if (part.kind !== "field" || this.dialect.scopes[part.tag]) return null;
    return this.dialect.restrict(part.tag, valuesOf(part.value));
  }
}
