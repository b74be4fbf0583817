import type { Call } from "./call.ts";
import type { Act } from "./create-context.ts";
import type { Caller } from "./context.ts";
import { fail } from "./errors.ts";
import type { Progressing } from "./execution.ts";
import type { ActRecord, Ports } from "./ports.ts";
import type { Command } from "./registry.ts";

/** The key under which this call's answer is kept, where it carries one. */
export function keyOf(
  ports: Ports,
  of: { call: Call; command: Command; input: Record<string, unknown>; dryRun: boolean },
) {
  const key = of.call.idempotencyKey;
  if (key === undefined || !of.command.mutates || of.dryRun) return undefined;
  if (key.length === 0 || key.length > 200) {
    throw fail("E_LIMIT", {
      message: "An idempotency key has 1 to 200 characters.",
      cause: `This one has ${key.length}.`,
      remediation: "Use a UUID.",
      details: { limit: 200, found: key.length },
    });
  }
  return { key, inputHash: ports.hash(of.input), secrets: of.command.secrets };
}

/** The answer that an earlier call with the same key was given. */
export async function findReplay(
  so: Progressing,
  of: {
    caller: Caller;
    command: Command;
    replay: { key: string; inputHash: string; secrets: readonly string[] };
  },
): Promise<Record<string, unknown> | undefined> {
  const kept = await so.session?.findReplay(of.caller, of.replay.key);
  if (!kept) return undefined;
  if (kept.capability !== of.command.id || kept.inputHash !== of.replay.inputHash) {
    throw fail("E_CONFLICTING_INPUT", {
      message: "This idempotency key was used for another call.",
      cause: `It belongs to ${kept.capability} with other input.`,
      remediation: "Use a new key for a new call.",
      details: { capability: kept.capability },
    });
  }
  const lost =
    of.replay.secrets.length > 0 ? ` ${of.replay.secrets.join(", ")} was shown once and is not stored.` : "";
  so.warnings.push({
    code: "W_REPLAYED",
    message: `This call was made before; its answer is repeated.${lost}`,
  });
  return { ...kept.data };
}

/**
 * What a commit keeps for the call's key is what the act knew by then; here the finished answer takes its place, so that
 * a replay says byte for byte what was said first.
 */
export async function keepAnswer(
  so: Progressing,
  { act, replay }: { act: Act; replay: NonNullable<ActRecord["replay"]> },
  data: Record<string, unknown>,
): Promise<void> {
  const { id, command, grant } = act;
  const record = { act: id, capability: command.id, caller: grant.caller, replay };
  // The act is done and its answer is owed to the caller; a replay then tells what the commit kept.
  await so.session?.answered(record, data).catch(() => undefined);
}
