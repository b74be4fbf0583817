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

/**
 * Whether room for new objects may grow. Where it may, V8 soon takes a hundred megabytes for them, which is quicker;
 * where it may not, they are looked through a megabyte at a time.
 */
export function growYoungSpace(may: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${may ? 2 : 1}`);
}
