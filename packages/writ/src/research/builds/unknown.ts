import { fail, nearest } from "../../contract/index.ts";

/**
 * E_NOT_FOUND for networks that were not built, with those there are. `use` writes the same call for the name of one
 * that is there; where none is, the way out is to build.
 */
export function unknownNetworks(
  missing: readonly string[],
  { known, use }: { known: readonly string[]; use: (name: string) => string },
) {
  const near = nearest(missing[0] ?? "", known);
  const instead = near ?? known[0];
  return fail("E_NOT_FOUND", {
    message: `There is no network "${missing.join('", "')}"${near === undefined ? "." : `; did you mean "${near}"?`}`,
    cause: known.length === 0 ? "No network has been built." : `There are ${known.join(", ")}.`,
    remediation: instead === undefined ? "writ research build" : use(instead),
    details: { missing, ...(near !== undefined && { nearest: near }) },
  });
}
