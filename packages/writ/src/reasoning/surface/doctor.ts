import { type Check, type Checks, type Context, WritError } from "../../contract/index.ts";
import { statesOf } from "../availability/availability.ts";
import { situationOf } from "../availability/situation.ts";
import { checkNames, examine } from "../check/check.ts";
import { openRoom, type Room } from "../settings/room.ts";
import { readIndex } from "../store/index-file.ts";
import type { RecordIndex } from "../store/record-index.ts";

const operational = "reasoning.operational";
const advisors = "reasoning.advisors";

/** What this part adds to `doctor`. It contacts nobody: an absent advisor is no fault, and said to be optional. */
export const reasoningChecks: Checks = {
  ids: [operational, advisors, ...checkNames.map((name) => `reasoning.${name}`)],
  async run(ctx, { only }) {
    if (!ctx.workspace) {
      const ids = this.ids.filter((id) => only === undefined || id === only);
      return ids.map((id) => checkOf(id, "skipped", { message: "not in a workspace" }));
    }
    const found: Check[] = [];
    const wanted = (id: string) => only === undefined || only === id;
    if (wanted(operational) || wanted(advisors)) {
      const told = await look(ctx);
      found.push(...told.filter(({ id }) => wanted(id)));
    }
    for (const name of checkNames) {
      if (wanted(`reasoning.${name}`)) found.push(...(await checked(ctx, name)));
    }
    return found;
  },
};

function checkOf(
  id: string,
  status: Check["status"],
  { message, remediation }: { message: string; remediation?: string },
): Check {
  return {
    id,
    status,
    message,
    ...(remediation !== undefined && { remediation }),
    fixable: false,
    fixed: false,
  };
}

async function look(ctx: Context): Promise<Check[]> {
  let room: Room;
  let index: RecordIndex;
  try {
    room = await openRoom(ctx);
    ({ index } = await readIndex(room.root));
  } catch (error) {
    return [refused(operational, error)];
  }
  const states = statesOf(situationOf(room, index));
  const { mode, source } = room.mode;
  const there = states.filter(({ status }) => status === "available").map(({ id }) => id);
  const who = there.length > 0 ? `; available: ${there.join(", ")}` : "";
  const absent = states
    .filter(({ status }) => status !== "available")
    .map(({ id, status, reason }) => `${id} is ${status.replaceAll("_", " ")} (${reason})`);
  return [
    checkOf(operational, "ok", { message: `operational, mode ${mode} (${source})${who}` }),
    absent.length === 0
      ? checkOf(advisors, "ok", { message: "every declared advisor is available" })
      : checkOf(advisors, "info", { message: `${absent.join(", ")}; optional` }),
  ];
}

async function checked(ctx: Context, name: string): Promise<Check[]> {
  const id = `reasoning.${name}`;
  try {
    const { checks, findings } = await examine(ctx, name);
    if (findings.length === 0) {
      const [check] = checks;
      if (check?.status === "skipped") return [checkOf(id, "skipped", { message: check.reason ?? "" })];
      return [checkOf(id, "ok", { message: `${name} as they must be` })];
    }
    const failed = findings.some(({ level }) => level === "error");
    const shown = findings.slice(0, 5).map(({ subject, message }) => `${subject}: ${message}`);
    const more = findings.length > shown.length ? [`and ${findings.length - shown.length} more`] : [];
    const message = [...shown, ...more].join("; ");
    return [checkOf(id, failed ? "fail" : "warn", { message, remediation: "writ reasoning check" })];
  } catch (error) {
    return [refused(id, error)];
  }
}

function refused(id: string, error: unknown): Check {
  if (!(error instanceof WritError) || error.code === "INTERNAL_ERROR") throw error;
  return checkOf(id, "fail", { message: error.failure.message, remediation: error.failure.remediation });
}
