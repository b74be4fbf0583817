import { fail, type WritError } from "../../contract/index.ts";
import { limits } from "../model.ts";

/** An equation that is not well formed, with the place, what stands there, and what could. */
export function syntaxError(position: number, found: string, expected: string): WritError {
  return fail("E_EQUATION_SYNTAX", {
    message: `The equation cannot be read at position ${position}: found ${found}, expected ${expected}.`,
    cause:
      "Positions are counted from 0. Brackets and quotes come in pairs, and an operator stands between terms.",
    remediation:
      "Correct the equation; try it without a request: writ research seed --equation '…' --preview",
    details: { position, found, expected },
  });
}

export function emptyError(): WritError {
  return fail("E_EQUATION_EMPTY", {
    message: "The equation is empty.",
    cause: "It holds no word to search for.",
    remediation: "Give one: writ research seed --equation 'alpha AND beta'",
  });
}

/** A bound of equations that was exceeded. */
export function boundError(what: string, limit: number, found: number): WritError {
  return fail("E_LIMIT", {
    message: `The equation has ${found} ${what}; at most ${limit} are read.`,
    cause: `An equation may have ${limits.equationBytes} bytes, ${limits.equationTerms} terms and ${limits.equationNesting} levels of brackets.`,
    remediation: "Ask in several shorter equations; their results are united in the library.",
    details: { limit, found },
  });
}
