import { AdvisorFailure, type Adapter } from "./adapter.ts";
import { exitFailure } from "./exit-failure.ts";
import { jsonOf } from "./http-failure.ts";
import { requireText, usageOf } from "./json-exchange.ts";
import { describeProgram, runProgram } from "./program.ts";

/** Claude Code, run once without tools. */
export const adapter: Adapter = {
  name: "claude-cli",
  version: "1",
  transports: ["cli"],
  sealed: true,
  describe(input) {
    const { executable = "", model, access } = input.advisor;
    const tools = access === "workspace" ? "Read,Grep,Glob" : "";
    return describeProgram(input, [
      executable,
      "-p",
      "--output-format",
      "json",
      "--tools",
      tools,
      "--strict-mcp-config",
      "--no-session-persistence",
      ...(access === "workspace" ? [] : ["--max-turns", "1"]),
      ...(model === undefined ? [] : ["--model", model]),
    ]);
  },
  async exchange(exchange, io) {
    const { code, stdout, stderr } = await runProgram(exchange, io);
    const found = parsed(stdout);
    if (found?.is_error === true)
      throw exitFailure(code === 0 ? null : code, `error: ${String(found.result ?? "")}\n${stderr}`);
    if (code !== 0) throw exitFailure(code, stderr);
    const { result, usage } = found ?? (jsonOf(stdout) as Printed);
    const cached = [usage?.cache_creation_input_tokens, usage?.cache_read_input_tokens].filter(
      (count) => typeof count === "number",
    );
    const input =
      typeof usage?.input_tokens === "number"
        ? cached.reduce((a, b) => a + b, usage.input_tokens)
        : undefined;
    return { text: requireText(result, "result"), ...usageOf(input, usage?.output_tokens) };
  },
};

interface Printed {
  result?: unknown;
  is_error?: unknown;
  usage?: {
    input_tokens?: unknown;
    output_tokens?: unknown;
    cache_creation_input_tokens?: unknown;
    cache_read_input_tokens?: unknown;
  };
}

function parsed(stdout: string): Printed | undefined {
  try {
    return jsonOf(stdout) as Printed;
  } catch (error) {
    if (error instanceof AdvisorFailure) return undefined;
    throw error;
  }
}
