import { fail } from "../../contract/index.ts";

/** One of the two is restored. Throws E_MISSING_INPUT, E_CONFLICTING_INPUT. */
export function requireOne({
  from,
  from_corpus: corpus,
}: {
  from?: string | undefined;
  from_corpus?: string | undefined;
}): void {
  if (from === undefined && corpus === undefined)
    throw fail("E_MISSING_INPUT", {
      message: "There is nothing to restore from.",
      cause: "Neither --from nor --from-corpus was given.",
      remediation: "See which snapshots there are: ls .writ/research/snapshots",
      details: { missing: ["from", "from_corpus"] },
    });
  if (from !== undefined && corpus !== undefined)
    throw fail("E_CONFLICTING_INPUT", {
      message: "--from and --from-corpus exclude each other.",
      cause: "One call restores one of them.",
      remediation: "Give one of them: writ research snapshot restore --from DIR",
      details: { inputs: ["from", "from_corpus"] },
    });
}
