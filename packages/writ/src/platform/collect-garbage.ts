import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Gives back now what this program no longer uses. V8 keeps it until the program itself wants more, which is too late
 * where something else of the process is about to take all the memory that it may.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
