import type { Readable, Writable } from "node:stream";
import type { Call, Command } from "../../contract/index.ts";
import { visible } from "../../platform/index.ts";
import { coerce } from "./coerce.ts";
import type { Terminal } from "./run-cli.ts";

/** Asks one question on the terminal; what is asked goes to standard error, so that the answer stays pipeable. */
export function questioner(terminal: Terminal): NonNullable<Call["ask"]> {
  return async (question, choices) => {
    const { createInterface } = await import("node:readline/promises");
    const lines = createInterface({
      input: terminal.stdin as unknown as Readable,
      output: terminal.stderr.stream?.() ?? (terminal.stderr as unknown as Writable),
    });
    try {
      const hint = choices ? ` [${choices.join("/")}]` : "";
      for (;;) {
        const answer = (
          await lines.question(visible(`${question}${hint} `), { signal: terminal.signal })
        ).trim();
        if (!choices || choices.includes(answer)) return answer;
      }
    } finally {
      lines.close();
    }
  };
}

/** Asks for each required input that was not given. */
export async function askMissing(
  command: Command,
  input: Record<string, unknown>,
  terminal: Terminal,
): Promise<Record<string, unknown>> {
  const ask = questioner(terminal);
  const whole = { ...input };
  for (const flag of command.flags) {
    if (!flag.required || whole[flag.field] !== undefined) continue;
    const answer = await ask(`${flag.description}\n${flag.name}:`, flag.choices);
    if (answer !== "")
      whole[flag.field] = flag.many ? [coerce(command, flag, answer)] : coerce(command, flag, answer);
  }
  return whole;
}
