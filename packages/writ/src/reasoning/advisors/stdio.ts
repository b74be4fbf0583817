import { AdvisorFailure, type Adapter } from "./adapter.ts";
import { exitFailure } from "./exit-failure.ts";
import { requireText } from "./json-exchange.ts";
import { describeProgram, runProgram } from "./program.ts";

/** Any program that reads the brief on standard input and prints an answer. */
export const adapter: Adapter = {
  name: "stdio",
  version: "1",
  transports: ["cli"],
  sealed: false,
  describe: (input) => describeProgram(input, [input.advisor.executable ?? "", "--writ-advisor", "1"]),
  async exchange(exchange, io) {
    const { code, stdout, stderr } = await runProgram(exchange, io);
    if (code === 75) throw new AdvisorFailure("unavailable", "it ended with 75");
    if (code === 77) throw new AdvisorFailure("auth_failed", "it ended with 77");
    if (code !== 0) throw exitFailure(code, stderr);
    return { text: requireText(stdout, "output") };
  },
};
