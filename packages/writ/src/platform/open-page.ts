import { getBuiltinModule } from "node:process";
import type { Environment } from "./settings.ts";

interface Desktop {
  env: Environment;
  platform: NodeJS.Platform;
}

/** The program that opens a page in the user's browser, or undefined where there is no desktop. */
export function browserCommand({ env, platform }: Desktop): string[] | undefined {
  if (platform === "darwin") return ["open"];
  // The empty argument is the window's title: without it, `start` takes a quoted address for one.
  if (platform === "win32") return ["cmd", "/c", "start", ""];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open"] : undefined;
}

/** Opens a page in the user's browser, and lets it be when that fails: its address was printed as well. */
export function openPage(url: string, desktop: Desktop): void {
  const [command, ...args] = browserCommand(desktop) ?? [];
  if (command === undefined) return;
  // Loaded when it is used: it takes long, and every command would wait for it at its start.
  const { spawn } = getBuiltinModule("node:child_process");
  const child = spawn(command, [...args, url], { detached: true, stdio: "ignore" });
  child.on("error", () => {});
  child.unref();
}
