import { type CheckRow, type Finding, ok, skipped, warn } from "./check.ts";
import { type Room, withChangeset } from "./room.ts";

/** The private overlay. */
export const overlayChecks: readonly CheckRow[] = [
  { id: "overlay.reachable", worst: "warn", workspace: true, look: lookAtOverlay },
];

async function lookAtOverlay(room: Room): Promise<Finding> {
  return withChangeset(room, ({ overlay }) => {
    if (overlay.state === "none") return skipped("no overlay is declared");
    if (overlay.state === "reached") return ok(`${overlay.overlay.repo}, in the cache`);
    return warn("not in the cache; what was composed from it stays", {
      remediation: "Log in to its host if you should have access, then: writ bootstrap",
    });
  });
}
