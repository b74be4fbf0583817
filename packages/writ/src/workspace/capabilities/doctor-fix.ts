import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { renderReport } from "../doctor/render.ts";
import { checkInput } from "../doctor/schema.ts";
import { workspaceFiles } from "../swap/file-store.ts";
import { waitInput } from "../run/run-input.ts";

export default capability({
  id: "workspace.doctor.fix",
  path: "doctor fix",
  summary: "Repair what doctor calls fixable.",
  description:
    "Completes an interrupted run, restores composed files that are missing, rewrites Writ's block in .gitignore, rebuilds an unreadable record, " +
    "and clears what dead runs and broken copies in the cache left. It never touches a file of yours, and asks no other machine.",
  input: z.object({ check: checkInput, ...waitInput }),
  output: async () => z.object((await import("../doctor/schema.ts")).reportOutput),
  need: { effect: "local", network: "never", workspace: "required" },
  commits: workspaceFiles,
  errors: ["E_DOCTOR_FAILED", "E_STORE_LOCKED", "E_UNSAFE_LINK", "E_UNSAFE_URL", "E_INVALID_VALUE"],
  examples: [
    { title: "See what would be repaired", input: { dry_run: true } },
    { title: "Restore missing files only", input: { check: "compose.drift" } },
  ],
  related: ["doctor", "bootstrap"],
  async run(ctx, { check, wait }) {
    const [{ repair }, { doctorFailed }] = await Promise.all([
      import("../doctor/repair.ts"),
      import("../doctor/report.ts"),
    ]);
    const report = await repair(ctx, { waitMs: wait * 1000, ...(check !== undefined && { check }) });
    if (!report.ok) throw doctorFailed(report, { changed: report.changed, dry_run: ctx.dryRun });
    return { ...report };
  },
  render: (data, style) => renderReport(data, style),
});
