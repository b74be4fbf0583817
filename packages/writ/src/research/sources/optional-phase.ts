import { type Context, WritError } from "../../contract/index.ts";

/**
 * A later phase of an act that has committed already: its failure takes nothing back. It is left out, and a
 * warning says what is missing and which command fills it.
 */
export async function optionalPhase<T>(
  ctx: Context,
  { missing, command }: { missing: string; command: string },
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WritError) && !ctx.signal.aborted) throw error;
    const cause = error instanceof WritError ? error.failure.message : "The call was given up.";
    ctx.warn({ code: "W_PHASE_SKIPPED", message: `${missing} ${cause}`, remediation: command });
    return undefined;
  }
}
