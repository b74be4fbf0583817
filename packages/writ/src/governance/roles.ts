import {
  type Caller,
  type Command,
  commandLine,
  fail,
  type Grant,
  grant,
  type LeastRole,
  type Need,
  type Role,
} from "../contract/index.ts";

const rank: Record<Role, number> = { agent: 0, member: 1, admin: 2, owner: 3 };
const least: Record<LeastRole, number> = { human: 1, admin: 2, owner: 3 };

/** Every role, weakest first. */
export const roles = ["agent", "member", "admin", "owner"] as const satisfies readonly Role[];

/** Whether a role carries at least the rights of another. */
export function isAtLeast(role: Role, other: Role): boolean {
  return rank[role] >= rank[other];
}

/**
 * Decides whether a caller may make this call, and proves it with a grant. Refuses with E_HUMAN_REQUIRED
 * where an agent asks for what only a person decides, else with E_ROLE_REQUIRED.
 */
export function allow(
  caller: Caller,
  command: Command,
  { need, input }: { need: Need; input: Record<string, unknown> },
): Grant {
  const { may } = command;
  // Looking at what somebody else may do changes nothing and needs no more than the look itself.
  if (may === undefined || rank[caller.role] >= least[may]) return grant(caller, need);
  const name = command.path.join(" ");
  if (caller.role === "agent") {
    throw fail("E_HUMAN_REQUIRED", {
      message: `${name} is decided by a person.`,
      cause: `${caller.actor} calls as an agent.`,
      remediation: `Ask ${caller.acts_for ?? "the owner of the workspace"} to run: ${commandLine(command, given(command, input))}`,
      details: { actor: caller.actor, needs: may },
    });
  }
  throw fail("E_ROLE_REQUIRED", {
    message: `${name} needs the role ${may}.`,
    cause: `${caller.actor} is ${caller.role}.`,
    remediation: `Ask an owner of the workspace for a token with the role ${may}: writ token create --role ${may}`,
    details: { actor: caller.actor, role: caller.role, needs: may },
  });
}

/** What was really asked: a person who runs the command types no default. */
function given(command: Command, input: Record<string, unknown>): Record<string, unknown> {
  const defaults = new Map(command.flags.map((flag) => [flag.field, JSON.stringify(flag.default)]));
  return Object.fromEntries(
    Object.entries(input).filter(
      ([field, value]) => value !== undefined && defaults.get(field) !== JSON.stringify(value),
    ),
  );
}
