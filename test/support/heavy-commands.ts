import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { type Capability, capability, fail } from "../../packages/writ/src/contract/index.ts";
import tokenCreate from "../../packages/writ/src/governance/capabilities/token-create.ts";
import { commandsOf } from "./test-app.ts";

const think = capability({
  id: "heavy.think",
  summary: "Think for long, and say in which process.",
  input: z.object({
    hold: z.boolean().default(false).describe("Wait until the call is cancelled."),
    fault: z.boolean().default(false).describe("Fail, with data."),
  }),
  output: () => z.object({ pid: z.int().describe("The process.") }),
  need: { effect: "observe", network: "never", workspace: "required" },
  heavy: true,
  errors: ["E_DRIFT"],
  examples: [
    { title: "Think", input: {} },
    { title: "Think on", input: { hold: true } },
  ],
  async run(ctx, { hold, fault }) {
    const { pid } = process;
    ctx.emit({ phase: "think", item: String(pid) });
    ctx.warn({ code: "W_KEY_FILE", message: "A warning of the other process." });
    if (fault) throw fail("E_DRIFT", { message: "m", cause: "c", remediation: "r", data: { pid } });
    const signal = ctx.signal as AbortSignal & EventTarget;
    const note = (file: string) => appendFileSync(join(ctx.workspace?.root ?? "", file), `${pid}\n`);
    note("begun");
    if (hold && !signal.aborted) {
      // What keeps a process alive while it computes.
      const alive = setInterval(() => {}, 1000);
      await once(signal, "abort");
      clearInterval(alive);
    }
    if (signal.aborted) note("cancelled");
    signal.throwIfAborted();
    return { pid };
  },
}) as unknown as Capability;

/** A heavy capability, and what makes the token to call it with. */
export function heavyCommands() {
  return commandsOf([think, tokenCreate as unknown as Capability]);
}
