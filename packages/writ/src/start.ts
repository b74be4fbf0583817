import { createApp, createHost, thisMachine } from "./app/index.ts";
import { createSettings, openPage } from "./platform/index.ts";
import { runCli } from "./surfaces/cli/index.ts";

// A reader that went away (`writ … | head`) ends the program quietly; nothing is left to say to it.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

const interrupted = new AbortController();
for (const [signal, exitCode] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  process.on(signal, () => {
    // The first asks the work to end well; a second one does not wait for it.
    if (interrupted.signal.aborted) process.exit(exitCode);
    interrupted.abort({ exitCode });
  });
}

/** Runs the command line of this process; `heavyEntry` is the program for calls that need a process of their own. */
export async function start(heavyEntry: URL): Promise<void> {
  const atTerminal = process.stdout.isTTY === true;
  const host = createHost(atTerminal ? (url) => openPage(url, process) : undefined);
  const app = createApp(thisMachine(), { host, heavyEntry });
  host.attach(app);
  let stdin: NodeJS.ReadStream | undefined;
  process.exitCode = await runCli(
    {
      argv: process.argv.slice(2),
      cwd: process.cwd(),
      settings: createSettings(process.env),
      get stdin() {
        return (stdin ??= process.stdin);
      },
      stdout: process.stdout,
      stderr: process.stderr,
      signal: interrupted.signal,
    },
    app,
  );
  // A pipe that was read and never closed must not keep the program alive.
  stdin?.destroy();
  await app.close();
}
