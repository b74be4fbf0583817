import { commandOf } from "../sources/run.ts";
import { equationCommand } from "./commands.ts";

/** The command that takes up an unfinished run, as far as its parameters say it. */
export function resumeCommand(verb: string, params: Record<string, unknown>): string | undefined {
  if (verb === "seed") {
    if (typeof params.equation === "string") return equationCommand(params);
    return params.resolve === true ? "writ research seed --resolve" : undefined;
  }
  if (verb !== "chain") return undefined;
  const flags = Object.entries(params).filter(
    ([, value]) => value !== null && value !== undefined && value !== false && typeof value !== "object",
  );
  return commandOf(["research", "chain"], Object.fromEntries(flags));
}
