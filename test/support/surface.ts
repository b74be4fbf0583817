import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import {
  type Call,
  createExecutor,
  fail,
  grant,
  type Ports,
  type Registry,
  type Role,
  type SurfaceDeps,
} from "../../packages/writ/src/contract/index.ts";
import {
  createDeadline,
  createSettings,
  systemClock,
  systemIds,
} from "../../packages/writ/src/platform/index.ts";

/** The tokens that tests show, and the roles they give. Any other `member-…` is a member too. */
const roles: Record<string, Role> = { "owner-token": "owner", "admin-token": "admin" };

function roleOf({ token, terminal }: Call["credential"]): Role {
  if (terminal) return "owner";
  const role = roles[token ?? ""] ?? (token?.startsWith("member-") ? "member" : undefined);
  if (role) return role;
  throw fail("E_AUTH_REQUIRED", {
    message: "A token is needed.",
    cause: token === undefined ? "None was shown." : "The token is not known here.",
    remediation: "writ token create",
  });
}

export interface TestSurface extends SurfaceDeps {
  /** Everything a surface logged. */
  logged: string[];
  /** Every call the executor was handed. */
  calls: Call[];
}

/** What a surface is given, with the real executor behind it and ports as small as can be, but for those named. */
export function surfaceDeps(registry: Registry, ports: Partial<Ports> = {}): TestSurface {
  const calls: Call[] = [];
  const logged: string[] = [];
  const execute = createExecutor({ ...portsFor(registry), ...ports });
  return {
    registry,
    execute: (call) => {
      calls.push(call);
      return execute(call);
    },
    authenticate: async (credential) => ({ actor: "user:test", role: roleOf(credential) }),
    version: "1.2.3",
    root: tmpdir(),
    clock: systemClock,
    ids: systemIds,
    log: (line) => void logged.push(line),
    logged,
    calls,
  };
}

function portsFor(registry: Registry): Ports {
  return {
    commands: registry,
    clock: systemClock,
    ids: systemIds,
    settings: createSettings({}),
    registered: undefined as never,
    folders: undefined as never,
    locate: async () => undefined,
    admit: async ({ credential }) => ({ actor: "user:test", role: roleOf(credential) }),
    allow: (caller, command, { need }) => {
      if (command.may !== "owner" || caller.role === "owner") return grant(caller, need);
      throw fail("E_ROLE_REQUIRED", {
        message: `${command.path.join(" ")} needs the role owner.`,
        cause: `The caller's role is ${caller.role}.`,
        remediation: "Ask an owner.",
      });
    },
    session: () => {
      throw new Error("no test capability has a workspace");
    },
    open: () => Promise.reject(new Error("nothing is opened here")),
    deadline: createDeadline,
    hash: (value) => createHash("sha256").update(JSON.stringify(value)).digest("hex"),
    trace: async () => ".writ/errors/1.txt",
  };
}
