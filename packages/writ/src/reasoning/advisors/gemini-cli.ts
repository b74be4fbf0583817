import { AdvisorFailure, type Adapter } from "./adapter.ts";
import { exitFailure } from "./exit-failure.ts";
import { jsonOf } from "./http-failure.ts";
import { requireText, usageOf } from "./json-exchange.ts";
import { describeProgram, runProgram } from "./program.ts";

/** Exit codes the client documents for what is no passing trouble. */
const refusals = new Set([42, 44, 52, 53, 55]);

/** Gemini CLI, run once; without a terminal everything that would ask is denied. */
export const adapter: Adapter = {
  name: "gemini-cli",
  version: "1",
  transports: ["cli"],
  sealed: false,
  describe(input) {
    const { executable = "", model, access } = input.advisor;
    return describeProgram(input, [
      executable,
      "--output-format",
      "json",
      "--approval-mode",
      "default",
      // It trusts the folder it is run in, which is fresh and empty.
      ...(access === "workspace" ? [] : ["--skip-trust"]),
      "--extensions",
      "none",
      ...(model === undefined ? [] : ["--model", model]),
    ]);
  },
  async exchange(exchange, io) {
    const { code, stdout, stderr } = await runProgram(exchange, io);
    if (code === 41) throw new AdvisorFailure("auth_failed", "it ended with 41");
    if (code !== null && refusals.has(code)) throw new AdvisorFailure("error", `it ended with ${code}`);
    if (code !== 0) throw exitFailure(code, stderr);
    const { response, error, stats } = jsonOf(stdout) as Printed;
    if (error !== undefined && error !== null)
      throw exitFailure(null, `error: ${String(error.message ?? "")}\n${stderr}`);
    const counts = Object.values(stats?.models ?? {}).map((one) => one?.tokens);
    const sum = (field: "prompt" | "candidates") =>
      counts.reduce((total, tokens) => total + (typeof tokens?.[field] === "number" ? tokens[field] : 0), 0);
    return {
      text: requireText(response, "response"),
      ...(counts.length > 0 && usageOf(sum("prompt"), sum("candidates"))),
    };
  },
};

interface Printed {
  response?: unknown;
  error?: { message?: unknown } | null;
  stats?: { models?: Record<string, { tokens?: { prompt?: unknown; candidates?: unknown } }> };
}
