import { type Context, fail, nearest } from "../../contract/index.ts";
import { readJsonOrYaml } from "../../platform/index.ts";
import { type Next, nextFor } from "../derive/next.ts";
import { stepOf } from "../derive/timeline.ts";
import { short } from "../derive/words.ts";
import { bounds } from "../model/bounds.ts";
import { isOf } from "../model/is-of.ts";
import type { ReasoningRecord, RecordOf } from "../model/record.ts";
import { subjectKey } from "../records/clean.ts";
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
  const reasons = isOf(record, "validation") ? [unplanned(records, record), reason] : [];
  const said = reasons.filter((one) => one !== undefined).join(" ");
  return { ...(next.length > 0 && { next }), ...(said !== "" && { reason: said }) };
}

/** Of a check that the validation plan does not name: that it is none of it. It counts all the same. */
function unplanned(records: Records, { body }: RecordOf<"validation">): string | undefined {
  const plan = records.findOf(body.conclusion, "conclusion")?.body.validation_plan ?? [];
  if (plan.length === 0 || plan.some((check) => subjectKey(check) === subjectKey(body.check)))
    return undefined;
  const near = nearest(body.check, plan);
  const meant = near === undefined ? "" : ` The nearest there is "${short(near, 80)}".`;
  return `The validation plan names no check "${short(body.check, 80)}".${meant}`;
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
