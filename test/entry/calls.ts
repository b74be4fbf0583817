/**
 * An entry that is never published: calls capabilities one after the other in a workspace and prints what they answer,
 * so that a test can call as another user of the machine.
 *
 * node calls.ts <root> <[[capability, input], …] as JSON>
 */
import { createApp } from "../../packages/writ/src/app/index.ts";
import { systemClock } from "../../packages/writ/src/platform/index.ts";

const [root = "", given = "[]"] = process.argv.slice(2);
const app = createApp({
  env: process.env,
  platform: process.platform,
  home: process.env.HOME ?? root,
  login: "ana",
  clock: systemClock,
});
const answers: unknown[] = [];
for (const [capability, input] of JSON.parse(given) as [string, Record<string, unknown>][]) {
  answers.push(
    await app.execute({
      capability,
      surface: "cli",
      input,
      where: { flag: root },
      base: root,
      credential: { terminal: true },
      signal: new AbortController().signal,
    }),
  );
}
await app.close();
process.stdout.write(JSON.stringify(answers));
