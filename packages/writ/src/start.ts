import { createApp, createHost, thisMachine } from "./app/index.ts";
import { createSettings, openPage, outputOf, standardError, standardOutput } from "./platform/index.ts";
import { runCli } from "./surfaces/cli/index.ts";

// zod compiles a schema before it reads with it, which one reading never earns back; this is what it asks when it is
// loaded, and importing it here to say so would load it for every command.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

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

/** The folder this was called in; undefined when it has been removed. Programs that are started need one that stands. */
function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    process.chdir("/");
    return undefined;
  }
}

/** Runs the command line of this process; `heavyEntry` is the program for calls that need a process of their own. */
export async function start(heavyEntry: URL): Promise<void> {
  const stdout = outputOf(1, standardOutput);
  const host = createHost((url) => {
    if (stdout.isTTY) openPage(url, process);
  });
  const app = createApp(thisMachine(), { host, heavyEntry });
  host.attach(app);
  let stdin: NodeJS.ReadStream | undefined;
  process.exitCode = await runCli(
    {
      argv: process.argv.slice(2),
      cwd: currentFolder(),
      settings: createSettings(process.env),
      get stdin() {
        return (stdin ??= process.stdin);
      },
      stdout,
      stderr: outputOf(2, standardError),
      signal: interrupted.signal,
    },
    app,
  );
  // A pipe that was read and never closed must not keep the program alive.
  stdin?.destroy();
  await app.close();
}
