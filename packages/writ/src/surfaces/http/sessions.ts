import type { Call, Clock, Ids } from "../../contract/index.ts";

/** A browser that has logged in. */
export interface Session {
  id: string;
  credential: Call["credential"];
  /** A mutating request must repeat it in a header; a foreign page cannot read it. */
  csrf: string;
  expiresAt: number;
}

/** One-time logins and the sessions made from them; they live in this process's memory and end with it. */
export interface Sessions {
  /** A code that opens one session, once, within ten minutes. */
  createLogin(credential: Call["credential"]): string;
  redeem(code: string): Session | undefined;
  find(id: string): Session | undefined;
  end(id: string): void;
}

// Long enough to find the browser after starting the server.
const LOGIN_MS = 10 * 60_000;
// A working day; after it the link printed by the next start is needed.
const SESSION_MS = 12 * 3_600_000;
const MOST = 100;

/** Makes the store of sessions. */
export function createSessions(deps: { clock: Clock; ids: Ids }): Sessions {
  const logins = new Map<string, { credential: Call["credential"]; expiresAt: number }>();
  const sessions = new Map<string, Session>();

  return {
    createLogin(credential) {
      const code = deps.ids.secret(32);
      keep(logins, code, { credential, expiresAt: deps.clock.now() + LOGIN_MS });
      return code;
    },
    redeem(code) {
      const login = logins.get(code);
      logins.delete(code);
      if (!login || login.expiresAt <= deps.clock.now()) return undefined;
      const session: Session = {
        id: deps.ids.secret(32),
        credential: login.credential,
        csrf: deps.ids.secret(32),
        expiresAt: deps.clock.now() + SESSION_MS,
      };
      keep(sessions, session.id, session);
      return session;
    },
    find(id) {
      const session = sessions.get(id);
      if (session && session.expiresAt > deps.clock.now()) return session;
      sessions.delete(id);
      return undefined;
    },
    end: (id) => void sessions.delete(id),
  };
}

/** Keeps the newest; the oldest makes room. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  const oldest = map.keys().next();
  if (map.size >= MOST && !oldest.done) map.delete(oldest.value);
  map.set(key, value);
}
