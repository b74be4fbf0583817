import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Finding } from "../harness.ts";
import type { Bed } from "./stacks.ts";
import { type Place, run } from "./writ.ts";

/** Runs one git command in each product repository of a workspace. */
export function eachRepository({ repos }: Bed, { cwd, env }: Place, args: readonly string[]): void {
  for (const { name } of repos) run("git", args, { cwd: join(cwd, name.split("/")[1] ?? ""), env });
}

/** Node with nothing to do: what no program on it can go below. */
export const bareNode = (place: Place): void => run(process.execPath, ["-e", "0"], place);

/** The row of the reference CLI, which is not part of this repository. */
export function besideReference(what: string): Finding {
  const found = spawnSync("wsp", ["--version"]).status === 0;
  const skipped = found ? "wsp is installed; this bench has no column for it yet" : "wsp is not installed";
  return { what: `${what}, against wsp`, unit: "ms", writ: [], skipped };
}
