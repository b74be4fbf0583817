import { version } from "./generated/version.ts";

// The question a script asks most is answered before anything else is loaded.
if (process.argv.length === 3 && process.argv[2] === "--version" && process.env.WRIT_JSON === undefined)
  process.stdout.write(`${version}\n`);
else {
  const { start } = await import("./start.ts");
  // Beside this file and in its language: the program runs from its sources as well as from its bundle.
  await start(new URL(import.meta.url.replace(/main(\.[jt]s)$/, "heavy$1")));
}
