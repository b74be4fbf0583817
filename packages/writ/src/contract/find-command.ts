import type { Call } from "./call.ts";
import type { Capability, Need } from "./capability.ts";
import { fail } from "./errors.ts";
import { parseInput } from "./parse-input.ts";
import type { Ports } from "./ports.ts";
import { type Command, toolName } from "./registry.ts";
import { nearest } from "./suggest.ts";

/** The command of a call, or the error of there being none on this surface. */
export function findCommand(ports: Ports, call: Call): Command {
  const command = ports.commands.find(call.capability);
  if (command && (call.surface === "agent" || command.on.includes(call.surface))) return command;
  const offered = ports.commands.rows.filter((row) => row.on.includes(call.surface));
  const near = nearest(
    call.capability,
    offered.map((row) => row.id),
  );
  throw fail("USAGE_ERROR", {
    message: `There is no capability "${call.capability.slice(0, 80)}" here.`,
    cause: near
      ? `The nearest is ${near} (${toolName(offered.find((row) => row.id === near) ?? { path: [near] })}).`
      : "None is near it.",
    remediation: "See what there is: writ schema",
    details: { unknown: call.capability.slice(0, 80), ...(near && { nearest: near }) },
  });
}

/** What a call asks, checked and complete. */
export async function readCall(command: Command, capability: Capability, call: Call) {
  if (call.dryRun !== true && !("dry_run" in call.input))
    return { input: await parseInput(command, capability, call.input), dryRun: false };
  const { dry_run: asked, ...given } = call.input;
  if (asked !== undefined && typeof asked !== "boolean") {
    throw fail("USAGE_ERROR", {
      message: "dry_run is true or false.",
      cause: `It was given as ${typeof asked}.`,
      remediation: "Give dry_run: true, or leave it out.",
    });
  }
  const dryRun = call.dryRun === true || asked === true;
  if (dryRun && !command.mutates) {
    throw fail("USAGE_ERROR", {
      message: `${command.path.join(" ")} has no dry run.`,
      cause: "It only observes; there is nothing it would change.",
      remediation: `Call it without --dry-run: writ ${command.path.join(" ")}`,
    });
  }
  return { input: await parseInput(command, capability, given), dryRun };
}

const effectRank = { observe: 0, local: 1, external: 2 } as const;

/** What this call needs. What is declared is the ceiling: narrowing past it is a defect, and nothing runs. */
export function needOf(
  command: Command,
  { narrowed, dryRun }: { narrowed: Partial<Need> | undefined; dryRun: boolean },
): Need {
  if (!narrowed && !dryRun) return command.need;
  const need: Need = { ...command.need, ...narrowed };
  const raises = effectRank[need.effect] > effectRank[command.need.effect];
  if (raises || (need.network === "may" && command.need.network === "never")) {
    throw new TypeError(`${command.id} narrowed its need to more than it declares`);
  }
  return dryRun ? { ...need, effect: "observe" } : need;
}
