import { version } from "./generated/version.ts";

// The question a script asks most is answered before anything else is loaded.
if (process.argv.length === 3 && process.argv[2] === "--version") process.stdout.write(`${version}\n`);
else await import("./start.ts");
