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
export async function locate(
  ports: Ports,
  { call, need, so, admitted }: { call: Call; need: Need; so: Progressing; admitted: Admitted | undefined },
): Promise<Workspace | undefined> {
  if (need.workspace === "none" || need.workspace === "creates") return undefined;
  const workspace = admitted?.workspace ?? (await ports.locate(call.where, call.base));
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

/** Whether the caller may do this. */
export async function allow(
  ports: Ports,
  of: {
    command: Command;
    need: Need;
    input: Record<string, unknown>;
    caller: Caller;
    session: Session | undefined;
    mutates: boolean;
    remote: boolean;
  },
): Promise<Grant> {
  try {
    if (of.remote && of.command.loopback) throw localOnly(of.command);
    return ports.allow(of.caller, of.command, of);
  } catch (refusal) {
    const { session, caller, command } = of;
    // A refused attempt to change something is itself a fact; failing to note it must not hide the refusal.
    if (of.mutates && session && refusal instanceof WritError) {
      await session
        .denied({ act: ports.ids.next("act"), capability: command.id, caller }, refusal.code)
        .catch(() => {});
    }
    throw refusal;
  }
}

function localOnly({ path }: Command): WritError {
  const words = path.join(" ");
  return fail("E_LOCAL_ONLY", {
    message: `${words} is taken from this machine only.`,
    cause: "The call came over a network, and what it would write belongs to the checkout that lies here.",
    remediation: `Call it where the workspace is: writ ${words}`,
  });
}
