import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Standing, Transition } from "../library/states.ts";
import { transitionsOf } from "../library/states.ts";
import { commandOf } from "../sources/run.ts";

/** One possible next step, as a line that runs as it is printed; without one, what it lacks. */
export interface Available {
  transition: Transition;
  command?: string;
  needs?: string[];
  reason?: string;
}

/** What the commands are made from. */
export interface Facts {
  standing: Standing;
  /** Whether the workspace has an equation.yml. */
  hasSpec: boolean;
  /** The seeding by an equation that ran last, as a command. */
  lastEquation?: string;
  leastYear: number | null;
  /** Whether any built network's files are there. */
  hasNetworks: boolean;
}

const plain: Readonly<Record<Exclude<Transition, "seed" | "reseed" | "filter">, string>> = {
  chain: "writ research chain",
  build: "writ research build",
  snapshot: "writ research snapshot create",
  read: "writ research read top",
  validate: "writ research validate",
  monitor: "writ research chain --since last",
  export: "writ research export --format graphml",
};

/** What may be done next, most useful first, and how it is called. Pure. */
export function availableOf(facts: Facts): { transitions: Transition[]; commands: Available[] } {
  const all = transitionsOf(facts.standing.state).transitions;
  const transitions = all.filter((one) => one !== "export" || facts.hasNetworks);
  return { transitions, commands: transitions.map((one) => available(one, facts)) };
}

function available(transition: Transition, facts: Facts): Available {
  if (transition === "seed") return seeding("seed", facts);
  if (transition === "reseed")
    return facts.lastEquation === undefined
      ? seeding("reseed", facts)
      : { transition, command: facts.lastEquation };
  if (transition === "filter")
    return facts.leastYear === null
      ? { transition, needs: ["criterion"], reason: "No paper has a year to filter by." }
      : { transition, command: `writ research curate filter --year-gte ${facts.leastYear}` };
  return { transition, command: plain[transition] };
}

function seeding(transition: Transition, { hasSpec }: Facts): Available {
  if (hasSpec) return { transition, command: "writ research seed --spec equation.yml" };
  return {
    transition,
    needs: ["equation"],
    reason: "The workspace has no equation.yml: name an equation or a file.",
  };
}

/** Gathers what the commands are made from. */
export async function factsOf(root: string, told: Omit<Facts, "hasSpec">): Promise<Facts> {
  return { ...told, hasSpec: await isFile(join(root, "equation.yml")) };
}

/** A seeding by an equation, in full. */
export function equationCommand(params: Record<string, unknown>): string {
  const { equation, source, native, exclude, language, type } = params;
  const min = params.minYear ?? params.min_year;
  const max = params.maxYear ?? params.max_year;
  return commandOf(["research", "seed"], {
    equation,
    ...(source !== "openalex" && source !== undefined && { source }),
    ...(native === true && { native }),
    ...(isFilled(exclude) && { exclude }),
    ...(min !== undefined && { min_year: min }),
    ...(max !== undefined && { max_year: max }),
    ...(isFilled(language) && { language }),
    ...(isFilled(type) && { type }),
    ...(params.max_results !== 200 &&
      params.max_results !== undefined && { max_results: params.max_results }),
  });
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

async function isFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
