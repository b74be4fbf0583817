import { fail, nearest, type WritError } from "../../contract/index.ts";

/** E_NOT_FOUND of a reference, with the nearest name of its kind. */
export function notFound(
  kind: string,
  name: string,
  facts: { known: Iterable<string>; cause?: string; list?: string },
): WritError {
  const near = nearest(name, facts.known);
  const shown = name.slice(0, 200);
  const suggestion = near === undefined ? undefined : `writ explain ${kind}:${near}`;
  return fail("E_NOT_FOUND", {
    message: `There is no ${kind} "${shown}" here.`,
    cause: facts.cause ?? (near === undefined ? "None of that name is known." : `The nearest is ${near}.`),
    remediation:
      suggestion === undefined
        ? `See what there is: ${facts.list ?? "writ status"}`
        : `Did you mean ${near}? ${suggestion}`,
    details: { reference: `${kind}:${shown}`, ...(near !== undefined && { nearest: near }) },
  });
}
