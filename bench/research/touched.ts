import { utimesSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { measureWrit } from "../support/measured.ts";
import type { Bed } from "./bed.ts";

/** Gives the library's file another time: then it is another library, and nothing that was kept of it counts. */
export function touch({ library }: Bed): void {
  utimesSync(library, new Date(), new Date());
}

/** Lets it lie as long as it takes to be kept, and has it looked at once. */
export async function settle(bed: Bed): Promise<void> {
  await pause(2500);
  await measureWrit(["research", "status"], bed);
}
