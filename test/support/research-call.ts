/**
 * One call of the real program in a process of its own, for tests that kill it. It ends itself when the named
 * phase is told; the program itself has no such switch.
 *
 * node research-call.ts <root> <home> <capability> <input as JSON> [phase]
 */
import { createApp } from "../../packages/writ/src/app/index.ts";
import { systemClock } from "../../packages/writ/src/platform/index.ts";

const [root = "", home = "", capability = "", input = "{}", phase] = process.argv.slice(2);
const app = createApp({
  env: { ...process.env, HOME: home },
  platform: process.platform,
  home,
  login: "ana",
  clock: systemClock,
});
const answer = await app.execute({
  capability,
  surface: "cli",
  input: JSON.parse(input) as Record<string, unknown>,
  where: { cwd: root },
  base: root,
  credential: { terminal: true },
  signal: new AbortController().signal,
  emit: (event) => {
    if ((event as { phase?: string }).phase === phase) process.kill(process.pid, "SIGKILL");
  },
});
process.stdout.write(JSON.stringify(answer));
await app.close();
