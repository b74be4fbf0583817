import { limits } from "../model.ts";
import { boundError, syntaxError } from "./refuse.ts";
import type { Token } from "./tokens.ts";

/** The words that stand between terms; `near` covers NEAR, W/n and PRE/n. */
export type OperatorWord = "and" | "or" | "not" | "near";

const nearForm = /^(?:NEAR|(?:NEAR|W|PRE)\/\d+)$/i;

/** What a token does as an operator, in any case; null for what is searched for. */
export function operatorOf(token: Token): OperatorWord | null {
  if (token.kind !== "word" || token.tilde !== null) return null;
  const word = token.text.toLowerCase();
  if (word === "and" || word === "or" || word === "not") return word;
  return nearForm.test(token.text) ? "near" : null;
}

/** Hands out tokens one by one, without commas, and counts what is bounded. */
export class TokenReader {
  readonly commas: number[] = [];
  /** Where the token taken last ends. */
  end = 0;
  private readonly tokens: Token[] = [];
  private at = 0;
  private terms = 0;
  private depth = 0;

  constructor(tokens: readonly Token[]) {
    let behindComma = false;
    for (const token of tokens) {
      if (token.kind === "," && this.commas.push(token.at.from) > 0) behindComma = true;
      else {
        this.tokens.push(behindComma ? { ...token, spaced: true } : token);
        behindComma = false;
      }
    }
  }

  peek(ahead = 0): Token {
    const token = this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)];
    if (!token) throw new TypeError("a list of tokens ends with one that says so");
    return token;
  }

  take(): Token {
    const token = this.peek();
    this.at += 1;
    this.end = token.at.to;
    return token;
  }

  /** Takes a token of this kind, or says what stands there instead. */
  expect(kind: Token["kind"], expected: string): Token {
    if (this.peek().kind !== kind) throw this.unexpected(expected);
    return this.take();
  }

  unexpected(expected: string): Error {
    const token = this.peek();
    const found = token.kind === "end" ? "the end of the equation" : `“${token.text}”`;
    return syntaxError(token.at.from, found, expected);
  }

  countTerm(): void {
    this.terms += 1;
    if (this.terms > limits.equationTerms)
      throw boundError("terms or more", limits.equationTerms, this.terms);
  }

  /** Runs one level of brackets deeper. */
  nested<T>(read: () => T): T {
    this.depth += 1;
    if (this.depth > limits.equationNesting)
      throw boundError("levels of brackets or more", limits.equationNesting, this.depth);
    const result = read();
    this.depth -= 1;
    return result;
  }
}
