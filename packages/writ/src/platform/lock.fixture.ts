import { appendFile, rm, writeFile } from "node:fs/promises";
import { withLock } from "./lock.ts";

// Run as a process of its own: takes the lock at argv[2] and does what argv[3] says.
const [, , path = "", task = "", scratch = ""] = process.argv;
const options = { waitMs: 60_000, what: "the test", command: "writ test" };

if (task === "hold") {
  await withLock(path, options, async () => {
    process.stdout.write("held\n");
    // Nothing refers to this work any more; the lock must outlive it.
    await new Promise(() => setInterval(() => globalThis.gc?.(), 5));
  });
}
if (task === "count") {
  for (let i = 0; i < 5; i++) {
    await withLock(path, options, async () => {
      await writeFile(`${scratch}.inside`, String(process.pid), { flag: "wx" });
      await appendFile(scratch, "in\n");
      await appendFile(scratch, "out\n");
      await rm(`${scratch}.inside`);
    });
  }
}
