import { type CheckRow, type Finding, ok, skipped, warn } from "./check.ts";
import { rewriteIgnore } from "./restore-files.ts";
import { type Room, withChangeset } from "./room.ts";

/** What git must not see. */
export const ignoreChecks: readonly CheckRow[] = [
  { id: "gitignore.block", worst: "warn", workspace: true, look: lookAtBlock, fix: rewriteIgnore },
];

async function lookAtBlock(room: Room): Promise<Finding> {
  return withChangeset(room, (changeset, { warnings }) => {
    const block = changeset.files.find(({ kind }) => kind === "block");
    if (!block) return skipped("the workspace is in no git work tree");
    if (block.step !== "none") {
      return warn("the block in .gitignore is missing or not as it would be written", {
        remediation: "writ doctor fix",
        fixable: true,
      });
    }
    const tracked = warnings.find(({ code }) => code === "W_TRACKED_GENERATED");
    if (!tracked) return ok("present and right");
    return warn(tracked.message.replace(/\.$/, ""), {
      ...(tracked.remediation !== undefined && { remediation: tracked.remediation }),
    });
  });
}
