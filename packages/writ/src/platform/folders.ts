import { isAbsolute, posix, resolve, win32 } from "node:path";
import type { Environment } from "./settings.ts";

/** Where this is: the environment, the operating system, and the user's home. */
export interface Place {
  env: Environment;
  platform: NodeJS.Platform;
  home: string;
  /** What a relative WRIT_CACHE_DIR is resolved against; default the home. */
  cwd?: string;
}

/** The cache folder: WRIT_CACHE_DIR, else the platform's. What is in it may always be deleted. */
export function cacheFolder(place: Place): string {
  const chosen = place.env.WRIT_CACHE_DIR;
  if (chosen) return isAbsolute(chosen) ? chosen : resolve(place.cwd ?? place.home, chosen);
  if (place.platform === "win32") return win32.join(localAppData(place), "writ", "Cache");
  if (place.platform === "darwin") return posix.join(place.home, "Library", "Caches", "writ");
  return posix.join(xdg(place, "XDG_CACHE_HOME", ".cache"), "writ");
}

/** The folder of the installation's own state (keys, checkpoints), which outlives every workspace. */
export function stateFolder(place: Place): string {
  if (place.platform === "win32") return win32.join(localAppData(place), "writ", "State");
  if (place.platform === "darwin") return posix.join(place.home, "Library", "Application Support", "writ");
  return posix.join(xdg(place, "XDG_STATE_HOME", ".local/state"), "writ");
}

function localAppData({ env, home }: Place): string {
  return env.LOCALAPPDATA || win32.join(home, "AppData", "Local");
}

// The XDG specification: a relative value is invalid and must be ignored.
function xdg({ env, home }: Place, name: string, fallback: string): string {
  const value = env[name];
  return value?.startsWith("/") ? value : posix.join(home, fallback);
}
