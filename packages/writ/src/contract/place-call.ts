import type { Admitted } from "./admission.ts";
import type { Call } from "./call.ts";
import type { Need } from "./capability.ts";
import type { Caller, Workspace } from "./context.ts";
import { fail, WritError } from "./errors.ts";
import type { Progressing } from "./execution.ts";
import type { Grant } from "./grant.ts";
import type { Ports, Session } from "./ports.ts";
import type { Command } from "./registry.ts";

/** The workspace a call is about; undefined where it needs none and there is none. */
export function locate(
  ports: Ports,
  { admitted, ...of }: { call: Call; need: Need; so: Progressing; admitted: Admitted | undefined },
): Workspace | undefined | Promise<Workspace | undefined> {
  const { need } = of;
  if (need.workspace === "none" || need.workspace === "creates") return undefined;
  // Who was admitted a moment ago was so in the workspace that the call names.
  return admitted?.workspace ?? look(ports, of);
}

async function look(
  ports: Ports,
  { call, need, so }: { call: Call; need: Need; so: Progressing },
): Promise<Workspace | undefined> {
  const workspace = await ports.locate(call.where, call.base);
  if (workspace?.source === "cwd" && workspace.root !== call.base) {
    so.warnings.push({
      code: "W_WORKSPACE_WALKUP",
      message: `The workspace is ${workspace.root}, found by walking up from the current folder.`,
      remediation: "Pin it with --workspace DIR or WRIT_WORKSPACE.",
    });
  }
  if (workspace || need.workspace === "optional") return workspace;
  throw fail("E_NO_WORKSPACE", {
    message: "There is no workspace here.",
    cause: "No workspace.yml stands in the folder or above it.",
    remediation: "Make one with writ init NAME, or name one with --workspace DIR.",
    details: { searched_from: call.where.flag ?? call.where.env ?? call.where.cwd ?? call.base },
  });
}

/** Where a token is looked up for a call that itself needs no workspace. */
export async function homeOf(ports: Ports, call: Call): Promise<Session | undefined> {
  if (call.credential.token === undefined) return undefined;
  const home = await ports.locate(call.where, call.base);
  return home && ports.session(home.root);
}

/** A call of which everything is known by which it may be allowed. */
interface Asking {
  command: Command;
  need: Need;
  input: Record<string, unknown>;
  caller: Caller;
  session: Session | undefined;
  mutates: boolean;
  remote: boolean;
}

/** Whether the caller may do this; a refusal is noted before it is thrown. */
export function allow(ports: Ports, of: Asking): Grant | Promise<never> {
  try {
    if (of.remote && of.command.loopback) throw localOnly(of.command);
    return ports.allow(of.caller, of.command, of);
  } catch (refusal) {
    return refused(ports, of, refusal);
  }
}

async function refused(
  ports: Ports,
  { session, caller, command, mutates }: Asking,
  refusal: unknown,
): Promise<never> {
  // A refused attempt to change something is itself a fact; failing to note it must not hide the refusal.
  if (mutates && session && refusal instanceof WritError) {
    await session
      .denied({ act: ports.ids.next("act"), capability: command.id, caller }, refusal.code)
      .catch(() => {});
  }
  throw refusal;
}

function localOnly({ path }: Command): WritError {
  const words = path.join(" ");
  return fail("E_LOCAL_ONLY", {
    message: `${words} is taken from this machine only.`,
    cause: "The call came over a network, and what it would write belongs to the checkout that lies here.",
    remediation: `Call it where the workspace is: writ ${words}`,
  });
}
