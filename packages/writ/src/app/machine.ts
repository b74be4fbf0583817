import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";
import type { Machine } from "./create-app.ts";
import { systemClock } from "../platform/index.ts";

/** The machine this process runs on, and the person it runs for. */
export function thisMachine(): Machine {
  return {
    env: process.env,
    platform: process.platform,
    home: home(),
    login: login(),
    clock: systemClock,
  };
}

/** The user's home: HOME, unless it is empty or relative and so leads to wherever one stands. */
function home(): string {
  const said = homedir();
  return isAbsolute(said) ? said : userInfo().homedir;
}

/** The login name as an actor's name, or "unknown" in a container whose user has no entry. */
function login(): string {
  try {
    return userInfo()
      .username.toLowerCase()
      .replaceAll(/[^a-z0-9._-]/g, "-");
  } catch {
    return "unknown";
  }
}
