import { WritError } from "../../contract/index.ts";

/** A part of an equation, as typed, and where it begins, from 0. */
interface Part {
  found: string;
  position: number;
}

/** Asks a source an equation; a refusal that names a part of it says where that stands. */
export async function placingRefusal<T>(equation: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WritError) || error.failure.details?.status !== 400) throw error;
    const part = partNamed(error.failure.message, equation);
    if (!part) throw error;
    const { failure } = error;
    throw new WritError(error.code, {
      ...failure,
      cause: `${failure.cause} "${part.found}" stands at position ${part.position} of the equation.`,
      details: { ...failure.details, ...part },
    });
  }
}

/**
 * What of the equation a source's message names: something in quotes, else a word that only a query has (`type:x`,
 * `foo_bar`, `ab*`). The longest that occurs in the equation once; undefined where none does.
 */
export function partNamed(message: string, equation: string): Part | undefined {
  const quoted = Array.from(message.matchAll(/"([^"]+)"|'([^']+)'|`([^`]+)`/g), ([, a, b, c]) => a ?? b ?? c);
  const odd = message.split(/[\s"'`,;]+/).filter((word) => /\w[:_*?~|<>=]|[_*?~|<>=]\w/.test(word));
  for (const named of [quoted, odd.map((word) => word.replace(/[.:]+$/, ""))]) {
    const parts = named.flatMap((text) => onlyIn(equation, text?.trim() ?? ""));
    const [longest] = parts.toSorted((a, b) => b.found.length - a.found.length);
    if (longest) return longest;
  }
  return undefined;
}

function onlyIn(equation: string, found: string): Part[] {
  const position = equation.indexOf(found);
  const isOnly = found !== "" && position !== -1 && !equation.includes(found, position + 1);
  return isOnly ? [{ found, position }] : [];
}
