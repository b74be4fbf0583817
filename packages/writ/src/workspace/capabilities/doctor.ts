import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { renderReport } from "../doctor/render.ts";
import { checkInput } from "../doctor/schema.ts";

export default capability({
  id: "workspace.doctor",
  path: "doctor",
  summary: "Check this machine and workspace, and say what is wrong and what helps.",
  description:
    "Looks at the programs, the cache, the registry, the declaration, the lock, every composed file, the repositories and Writ's own state. " +
    "It changes nothing; what it calls fixable, writ doctor fix repairs. Outside a workspace the checks of a workspace are skipped.",
  input: z.object({
    check: checkInput,
    offline: z
      .boolean()
      .default(false)
      .meta({ env: "WRIT_OFFLINE" })
      .describe("Ask no other machine: the registry is not looked at."),
  }),
  output: async () => z.object((await import("../doctor/schema.ts")).reportOutput),
  need: { effect: "observe", network: "may", workspace: "optional" },
  narrow: ({ offline }) => (offline ? { network: "never" } : {}),
  errors: ["E_DOCTOR_FAILED", "E_UNSAFE_URL", "E_INVALID_VALUE"],
  examples: [
    { title: "Everything", input: {} },
    { title: "One check", input: { check: "compose.metadata" } },
    { title: "Without asking any other machine", input: { offline: true } },
  ],
  related: ["doctor fix", "status", "explain"],
  async run(ctx, { check, offline }) {
    const { doctorFailed, examine } = await import("../doctor/report.ts");
    const report = await examine(ctx, { fix: false, offline, ...(check !== undefined && { check }) });
    if (!report.ok) throw doctorFailed(report);
    const next = report.checks.some(({ fixable }) => fixable) ? ["writ doctor fix"] : [];
    return { ...report, ...(next.length > 0 && { next }) };
  },
  render: (data, style) => renderReport(data, style),
});
