import { environmentVariables, type Settings } from "../contract/index.ts";

/** The environment, as it was given to the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

const declared = new Set<string>(environmentVariables.map((variable) => variable.name));
const offWords = new Set(["", "0", "false", "no", "off"]);

/** Whether the value of a switch means on: anything but unset, empty, 0, false, no and off, in any case. */
export function isOnWord(value: string | undefined): boolean {
  return value !== undefined && !offWords.has(value.trim().toLowerCase());
}

/**
 * The settings of one call, over the environment it was given. An empty variable counts as unset.
 *
 * Reading a WRIT_ variable that no table declares is a defect, so that the table and the program cannot differ.
 */
export function createSettings(environment: Environment): Settings {
  function env(name: string): string | undefined {
    if (name.startsWith("WRIT_") && !declared.has(name))
      throw new Error(`${name} is in no table of variables`);
    const value = environment[name];
    return value === "" ? undefined : value;
  }
  return { env, environment: () => environment, isOn: (name) => isOnWord(env(name)) };
}
