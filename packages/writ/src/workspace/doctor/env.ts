import { nodeVersion, runProcess } from "../../platform/index.ts";
import { type CheckRow, type Finding, failed, info, ok, warn } from "./check.ts";
import type { Room } from "./room.ts";

// The oldest Node that runs TypeScript and has SQLite without a flag; the launcher refuses older ones.
const oldestNode = [22, 18] as const;
const passedOn = [
  "PATH",
  "HOME",
  "USERPROFILE",
  "XDG_CONFIG_HOME",
  "APPDATA",
  "GH_CONFIG_DIR",
  "GH_TOKEN",
  "GITHUB_TOKEN",
  "SSH_AUTH_SOCK",
  "SystemRoot",
];
// Variables of wsp, the tool that AWaC began with.
const wspVariables = ["WSP_REGISTRY_REPO", "WSP_REGISTRY_BRANCH", "WSP_CACHE_DIR"];

/** The programs and settings of this machine. */
export const envChecks: readonly CheckRow[] = [
  { id: "env.node", worst: "fail", workspace: false, look: () => judgeNode(nodeVersion) },
  {
    id: "env.git",
    worst: "fail",
    workspace: false,
    look: async (room) => ok(await room.sources().git.version()),
  },
  { id: "env.gh", worst: "warn", workspace: false, look: lookAtGh },
  { id: "env.ssh", worst: "warn", workspace: false, look: lookAtSsh },
  { id: "env.wsp", worst: "info", workspace: false, look: lookAtWsp },
];

/** Whether a version of Node is new enough. */
export function judgeNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [needed, minorNeeded] = oldestNode;
  if (major > needed || (major === needed && minor >= minorNeeded)) return ok(version);
  return failed(`${version}, and Writ needs ${oldestNode.join(".")} or later`, {
    remediation: "Install a newer Node: https://nodejs.org/en/download",
  });
}

async function lookAtGh(room: Room): Promise<Finding> {
  const version = await run(room, ["gh", "--version"]);
  if (version === undefined)
    return info("not installed; only pull requests would use it", { remediation: "https://cli.github.com" });
  // Asks the machine and not the forge; what it prints is a secret, and is dropped.
  const login = await run(room, ["gh", "auth", "token"]);
  if (login?.code !== 0) return warn("not logged in", { remediation: "gh auth login" });
  return ok(/\d+(?:\.\d+)+/.exec(version.text)?.[0] ?? "installed");
}

async function lookAtSsh(room: Room): Promise<Finding> {
  const version = await run(room, ["ssh", "-V"]);
  if (version === undefined)
    return info("not installed; only git@host sources would use it", { remediation: "Install OpenSSH" });
  const keys = await run(room, ["ssh-add", "-l"]);
  if (keys?.code === 0) return ok("installed, with a key loaded");
  return info("installed; no key is loaded into an agent", { remediation: "ssh-add" });
}

function lookAtWsp({ ctx }: Room): Finding {
  const set = wspVariables.filter((name) => ctx.settings.env(name) !== undefined);
  if (set.length === 0) return ok("no variable of wsp is set");
  return info(`${set.join(", ")} ${set.length === 1 ? "is" : "are"} set, and Writ does not use them`, {
    remediation: "Writ's own are WRIT_REGISTRY and WRIT_CACHE_DIR",
  });
}

async function run(
  { ctx }: Room,
  [command = "", ...args]: string[],
): Promise<{ code: number | null; text: string } | undefined> {
  const env: Record<string, string> = {};
  for (const name of passedOn) {
    const value = ctx.settings.env(name);
    if (value !== undefined) env[name] = value;
  }
  try {
    const { code, stdout, stderr } = await runProcess({
      command,
      args,
      env,
      timeoutMs: 5_000,
      signal: ctx.signal,
    });
    return { code, text: `${stdout.toString("utf8")}${stderr}` };
  } catch {
    // It could not be started: to us that is the same as not being there.
    return undefined;
  }
}
