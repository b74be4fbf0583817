/**
 * An entry that is never published: records or consults in a workspace and kills its own process at a named moment,
 * so that tests can look at what a crash leaves. The program itself has no such switch.
 *
 * node reasoning-crash.ts <root> <what> <moment> <nth> <input as JSON>
 */
import type { Capability, Context } from "../../packages/writ/src/contract/index.ts";
import { createApp } from "../../packages/writ/src/app/index.ts";
import { systemClock } from "../../packages/writ/src/platform/index.ts";
import consultCapability from "../../packages/writ/src/reasoning/capabilities/consult.ts";
import recordCapability from "../../packages/writ/src/reasoning/capabilities/record.ts";
import { consult } from "../../packages/writ/src/reasoning/consult/consult.ts";
import { openRoom } from "../../packages/writ/src/reasoning/settings/room.ts";
import { append } from "../../packages/writ/src/reasoning/store/append.ts";
import { parseBody } from "../../packages/writ/src/reasoning/store/parse-body.ts";
import { commandsOf } from "../support/test-app.ts";
import { testClock } from "../support/test-clock.ts";

const [root = "", what = "", moment = "", nth = "1", given = "{}"] = process.argv.slice(2);
let left = Number(nth);

const fault = (name: string): void => {
  if (name === moment && --left === 0) process.kill(process.pid, "SIGKILL");
};

const capabilities: Record<string, Capability> = {
  record: {
    ...recordCapability,
    run: async (ctx: Context, { record }: Record<string, unknown>) => {
      const room = await openRoom(ctx);
      await ctx.settle();
      const body = parseBody(record as Record<string, unknown>);
      return ctx.commit({}, async () => ({
        ...(await append(room, body, { capability: "reasoning.record", fault })),
      }));
    },
  } as unknown as Capability,
  consult: {
    ...consultCapability,
    run: (ctx: Context, input: Parameters<typeof consult>[1]) => consult(ctx, input, { fault }),
  } as unknown as Capability,
};

const capability = capabilities[what] as Capability;
const app = createApp(
  {
    env: process.env,
    platform: process.platform,
    home: process.env.HOME ?? root,
    login: "ana",
    clock: process.env.WRIT_TEST_CLOCK ? testClock(process.env.WRIT_TEST_CLOCK) : systemClock,
  },
  { commands: commandsOf([capability]) },
);
const answer = await app.execute({
  capability: capability.id,
  surface: "cli",
  input: JSON.parse(given) as Record<string, unknown>,
  where: { flag: root },
  base: root,
  credential: { terminal: true },
  signal: new AbortController().signal,
});
await app.close();
process.stdout.write(`${JSON.stringify(answer)}\n`);
