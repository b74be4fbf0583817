import { type Call, type Caller, fail, type Session, type Settings } from "../contract/index.ts";
import { clientMarks } from "./clients.ts";
import { sha256Hex } from "../platform/index.ts";
import { callerOf, findToken } from "./tokens.ts";

/** What admission knows of the machine: its settings, and who is logged in. */
export interface Admission {
  settings: Settings;
  /** The operating system's login name. */
  login: string;
  now: () => number;
}

const longestToken = 100;

/**
 * Says who calls. A token makes its subject the caller; without one, the person at the terminal is the
 * owner, unless an agent client started this process or speaks to it: then it acts for that person, with an
 * agent's rights.
 */
export async function admit(
  call: Pick<Call, "credential" | "surface">,
  session: Session | undefined,
  { settings, login, now }: Admission,
): Promise<Caller> {
  const { token, terminal } = call.credential;
  if (token !== undefined) {
    // Outside every workspace nobody can say whose token it is; at the terminal that leaves the least role.
    if (!session && terminal) return { actor: `user:${login}`, role: "agent" };
    if (!session) throw invalidToken("There is no workspace here whose token it could be.");
    // Hashed when it is looked for, not each time it is shown; what no token of Writ's can be is not kept whole.
    const key = token.length > longestToken ? sha256Hex(token) : token;
    const found = await session.recall(`token ${key}`, (db) => findToken(db, sha256Hex(token)));
    const caller = found && callerOf(found, now());
    if (!caller) throw invalidToken("It is unknown here, expired or revoked.");
    return caller;
  }
  if (!terminal) throw tokenRequired();
  const user = `user:${login}`;
  // Whoever speaks MCP on standard input is an agent client, whether or not it says which.
  const client = lowered(settings) ?? (call.surface === "mcp" ? "client:mcp" : undefined);
  return client ? { actor: client, role: "agent", acts_for: user } : { actor: user, role: "owner" };
}

/** The client this process acts as, or undefined when a person is at the terminal. */
function lowered(settings: Settings): string | undefined {
  const named = settings.env("WRIT_ACTOR");
  if (named !== undefined) {
    if (/^client:[a-z0-9][a-z0-9._-]{0,62}$/.test(named)) return named;
    throw fail("E_INVALID_VALUE", {
      message: `WRIT_ACTOR cannot be "${named.slice(0, 80)}".`,
      cause: "It can only lower the caller to an agent client, written client:NAME.",
      remediation: "Set WRIT_ACTOR=client:NAME, or unset it.",
    });
  }
  const mark = clientMarks.find(({ variable }) => settings.isOn(variable));
  return mark && `client:${mark.client}`;
}

/** The error of a caller that showed nothing. */
export function tokenRequired() {
  return fail("E_AUTH_REQUIRED", {
    message: "This call needs a token.",
    cause: "None was shown.",
    remediation: "Make one with writ token create --role member, and send it as: Authorization: Bearer TOKEN",
  });
}

function invalidToken(cause: string) {
  return fail("E_AUTH_REQUIRED", {
    message: "The token is not valid here.",
    cause,
    remediation: "Make a new one with writ token create --role member",
  });
}
