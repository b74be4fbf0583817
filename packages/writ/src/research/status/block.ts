import type { StatusBlock } from "../../contract/index.ts";
import { lstatOrNull } from "../../platform/index.ts";
import { placeOf } from "../library/place.ts";

/** What `writ status` says of the library: little, without opening it, and nothing where there is none. */
export const researchBlock: StatusBlock = {
  name: "research",
  async read(ctx) {
    const root = ctx.workspace?.root;
    if (root === undefined || !(await lstatOrNull(placeOf(root).file))) return undefined;
    const { readSummary } = await import("../library/summary.ts");
    return { ...((await readSummary(root)) ?? { loop_state: null, round: 0, papers: 0, accepted: 0 }) };
  },
};
