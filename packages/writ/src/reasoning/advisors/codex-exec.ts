import { join } from "node:path";
import { readOrNull } from "../../platform/index.ts";
import type { Adapter } from "./adapter.ts";
import { exitFailure } from "./exit-failure.ts";
import { requireText, usageOf } from "./json-exchange.ts";
import { describeProgram, freshFolder, runProgram } from "./program.ts";

const answerFile = "answer.txt";
// Its sandbox confines writing and not reading, so without access it has no shell.
const noShell = ["--disable", "shell_tool", "--disable", "unified_exec"];

/** Codex, run once in its read-only sandbox. */
export const adapter: Adapter = {
  name: "codex-exec",
  version: "1",
  transports: ["cli"],
  sealed: true,
  describe(input) {
    const { executable = "", model, access } = input.advisor;
    return describeProgram(input, [
      executable,
      "exec",
      "--skip-git-repo-check",
      "--sandbox",
      "read-only",
      ...(access === "workspace" ? [] : noShell),
      "--ephemeral",
      "--ignore-user-config",
      "--ignore-rules",
      "--json",
      "--output-last-message",
      `${freshFolder}/${answerFile}`,
      ...(model === undefined ? [] : ["--model", model]),
      "-",
    ]);
  },
  async exchange(exchange, io) {
    const { code, stdout, stderr } = await runProgram(exchange, io);
    const events = eventsIn(stdout);
    const failed = events.findLast(({ type }) => type === "error" || type === "turn.failed");
    if (code !== 0 || failed) {
      const message = failed?.error?.message ?? failed?.message;
      throw exitFailure(
        code === 0 ? null : code,
        `${message === undefined ? "" : `error: ${String(message)}\n`}${stderr}`,
      );
    }
    const written = String((await readOrNull(join(io.tmp, answerFile)).catch(() => null)) ?? "");
    const said = events.findLast(({ item }) => item?.type === "agent_message")?.item?.text;
    const usage = events.findLast(({ type }) => type === "turn.completed")?.usage;
    return {
      text: requireText(written.trim() === "" ? said : written, "agent message"),
      ...usageOf(usage?.input_tokens, usage?.output_tokens),
    };
  },
};

interface Event {
  type?: unknown;
  item?: { type?: unknown; text?: unknown };
  usage?: { input_tokens?: unknown; output_tokens?: unknown };
  error?: { message?: unknown };
  message?: unknown;
}

function eventsIn(stdout: string): Event[] {
  return stdout.split("\n").flatMap((line) => {
    try {
      const event = JSON.parse(line) as Event | null;
      return typeof event === "object" && event !== null ? [event] : [];
    } catch {
      return [];
    }
  });
}
