import type { Check, Checks, Context } from "../contract/index.ts";
import { storeError } from "../platform/index.ts";
import { installationWitness } from "./installation.ts";
import { verifyLedger } from "./verify.ts";
import { witnessOf } from "./witness-of.ts";
import type { Verdict } from "./finding.ts";

type Found = Pick<Check, "status" | "message" | "remediation">;

const ids = ["store.schema", "ledger.chain", "ledger.checkpoints"] as const;

/** What the store and the ledger add to `doctor`. Nothing here is repaired: a broken chain must stay as it is. */
export const storeChecks: Checks = {
  ids,
  async run(ctx, { only }) {
    const wanted = ids.filter((id) => only === undefined || id === only);
    if (!ctx.workspace)
      return wanted.map((id) => checkOf(id, { status: "skipped", message: "not in a workspace" }));
    const schema = await lookAtSchema(ctx);
    const readable = schema.status === "ok";
    const verdict = readable && wanted.some((id) => id !== "store.schema") ? await verify(ctx) : undefined;
    return wanted.map((id) => {
      if (id === "store.schema") return checkOf(id, schema);
      if (!verdict)
        return checkOf(id, { status: "skipped", message: "the store cannot be read, or holds nothing yet" });
      if (id === "ledger.chain") return checkOf(id, judgeChain(verdict.found));
      return checkOf(id, verdict.unwitnessed ?? judgeCheckpoints(verdict.found));
    });
  },
};

function checkOf(id: string, { status, message, remediation }: Found): Check {
  return {
    id,
    status,
    message,
    ...(remediation !== undefined && { remediation }),
    fixable: false,
    fixed: false,
  };
}

/** Whether this program can read the store; one that is older is migrated by whoever writes next. */
async function lookAtSchema(ctx: Context): Promise<Found> {
  try {
    const { database, schema_version, ledger } = await (await ctx.store("read")).status();
    if (ledger.seq === 0) return { status: "skipped", message: "nothing has been recorded yet" };
    return { status: "ok", message: `${database}, version ${schema_version}` };
  } catch (error) {
    const { code, failure } = storeError(error, ".writ");
    if (code === "INTERNAL_ERROR") throw error;
    const { message, remediation } = failure;
    return { status: code === "E_STORE_OUTDATED" ? "warn" : "fail", message, remediation };
  }
}

/** What verifying found; where the installation's own checkpoints cannot be read, without them. */
async function verify(ctx: Context): Promise<{ found: Verdict; unwitnessed?: Found }> {
  return ctx.read(async (db) => {
    let unwitnessed: Found | undefined;
    const witness = await witnessOf(installationWitness(ctx), db).catch((error: unknown) => {
      const { code, failure } = storeError(error, "ledger_checkpoints.jsonl");
      if (code === "INTERNAL_ERROR") throw error;
      const { message, cause } = failure;
      unwitnessed = {
        status: "fail",
        message: `${message} ${cause}`.replace(/\.$/, ""),
        remediation: openHome,
      };
      return {};
    });
    const found = await verifyLedger(db, witness);
    return { found, ...(unwitnessed && { unwitnessed }) };
  });
}

const openHome = 'Give yourself the right to read in your home: chmod u+rwX "$HOME"';

const remediation = "Keep the store as it is, and see where it differs: writ ledger verify";

function judgeChain({ findings, events }: Verdict): Found {
  const wrong = findings.filter(({ kind }) => kind !== "CHECKPOINT_MISMATCH");
  const [first] = wrong;
  if (!first)
    return {
      status: "ok",
      message: `${events} ${events === 1 ? "event" : "events"}, each as it was written`,
    };
  const more = wrong.length > 1 ? ` and ${wrong.length - 1} more` : "";
  return { status: "fail", message: `${first.message.replace(/\.$/, "")}${more}`, remediation };
}

const agreeing = (count: number) => `${count} ${count === 1 ? "agrees" : "agree"} with the chain`;

function judgeCheckpoints({ findings, checkpoints }: Verdict): Found {
  const wrong = findings.find(({ kind }) => kind === "CHECKPOINT_MISMATCH");
  if (wrong) return { status: "fail", message: wrong.message.replace(/\.$/, ""), remediation };
  const { count, unknown_key: unknown } = checkpoints;
  if (unknown === 0) return { status: "ok", message: count === 0 ? "none yet" : agreeing(count) };
  return {
    status: "info",
    message: `${agreeing(count)}, ${unknown} signed with a key this installation does not know`,
  };
}
