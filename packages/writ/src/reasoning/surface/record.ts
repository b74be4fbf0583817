import { type Context, fail } from "../../contract/index.ts";
import { readJsonOrYaml } from "../../platform/index.ts";
import { type Next, nextFor } from "../derive/next.ts";
import { stepOf } from "../derive/timeline.ts";
import { bounds } from "../model/bounds.ts";
import type { ReasoningRecord } from "../model/record.ts";
import type { Records } from "../records/records.ts";
import { openRoom } from "../settings/room.ts";
import { append, rehearse } from "../store/append.ts";
import { parseBody } from "../store/parse-body.ts";

const capability = "reasoning.record";

/** Records what a caller hands in, as one act. */
export async function recordBody(
  ctx: Context,
  given: { file?: string | undefined; record?: Record<string, unknown> | undefined },
) {
  const body = parseBody(await readGiven(ctx, given));
  const room = await openRoom(ctx);
  if (ctx.dryRun) {
    const { record, changed } = await rehearse(room, body, { capability });
    return { record, step: stepOf({ ...record, seq: 0, prev: "" }), changed };
  }
  await ctx.settle();
  return ctx.commit(
    ({ record, digest, changed }) => ({
      subjects: [`record:${record.id}`],
      detail: { record: record.id, seq: record.seq, digest, changed },
    }),
    async () => {
      const { record, path, digest, changed, records } = await append(room, body, { capability });
      return { record, path, digest, step: stepOf(record), changed, ...after(records, record) };
    },
  );
}

/** What follows a record on its assessment; and of a validation, why it does not settle what failed. */
function after(records: Records, record: ReasoningRecord): Partial<Next> {
  const root = records.rootOf(record.body) ?? record.id;
  const assessment = records.findOf(root, "assessment");
  if (!assessment) return {};
  const { next, reason } = nextFor(records, assessment);
  return {
    ...(next.length > 0 && { next }),
    ...(reason !== undefined && record.body.kind === "validation" && { reason }),
  };
}

async function readGiven(
  ctx: Context,
  { file, record }: { file?: string | undefined; record?: Record<string, unknown> | undefined },
): Promise<Record<string, unknown>> {
  if (record !== undefined && file === undefined) return record;
  if (record !== undefined) {
    throw fail("E_CONFLICTING_INPUT", {
      message: "Give the record or its file, not both.",
      cause: "Both were given.",
      remediation: "Leave one out.",
    });
  }
  if (file === undefined) {
    throw fail("E_MISSING_INPUT", {
      message: "reasoning record needs a record.",
      cause: "Neither a file nor the record itself was given.",
      remediation: "Name its file: writ reasoning record --file FILE",
      details: { missing: [{ name: "record", description: "The record: its kind and that kind's fields." }] },
    });
  }
  const opened = await ctx.open(file);
  const value = readJsonOrYaml(await opened.text(bounds.inputBytes), opened.name);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw fail("USAGE_ERROR", {
    message: `${opened.name} holds no record.`,
    cause: "A record is a mapping: its kind and that kind's fields.",
    remediation: "See what it holds: writ schema reasoning-record",
  });
}
