import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { readErrors } from "../library/errors.ts";
import { libraryFiles } from "../library/file-store.ts";
import { waitInput } from "../sources/flags.ts";

export default capability({
  id: "research.curate.undo",
  summary: "Undo a run: what it told and decided no longer counts.",
  description:
    "Nothing is deleted. Papers are computed again from the runs that are left; one that no other run tells of leaves all scopes. " +
    "Later runs that rest on it are listed and stay. A run that stopped on its way is given up: the same command begins anew. " +
    "Undoing an undo brings everything back.",
  input: z.object({
    run: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe(
        "The run, as its verb or writ research status named it: rr_… Without it the newest is named.",
      ),
    ...waitInput,
  }),
  output: () =>
    z.object({
      run_id: z.string().nullable().describe("The run of this undo; undo that one to take it back."),
      undone: z.string(),
      verb: z.string().describe("What the undone run was."),
      papers_changed: z.number().nullable(),
      papers_removed: z.number().nullable().describe("Papers that no run tells of any more."),
      built_on: z
        .array(z.object({ run_id: z.string(), verb: z.string() }))
        .describe("Later runs that rest on it; they are not undone."),
      state: z.string().nullable(),
      round: z.number(),
    }),
  need: { effect: "local", network: "never", workspace: "required" },
  commits: libraryFiles,
  undo: "research.curate.undo",
  errors: [...readErrors, "E_MISSING_INPUT", "E_NOT_FOUND"],
  examples: [
    { title: "Take back a run", input: { run: "rr_01a0c3f2-1111-7000-8000-000000000001" } },
    {
      title: "Wait at most five seconds for another process",
      input: { run: "rr_01a0c3f2-1111-7000-8000-000000000001", wait: 5 },
    },
  ],
  related: ["research status", "ledger list"],
  async run(ctx, given) {
    const { undo } = await import("../library/undo-verb.ts");
    return undo(ctx, { runId: given.run, wait: given.wait });
  },
  render(data, style) {
    if (data.changed === false) return `${style.green("ok")}  ${data.reason ?? "Nothing changed."}`;
    const lines = [
      `${style.bold("Undone")}   ${data.undone}   ${data.verb}`,
      `${style.bold("Papers")}   ${data.papers_changed ?? "?"} changed, ${data.papers_removed ?? "?"} removed`,
      ...data.built_on.map((one) => `${style.yellow("stays")}    ${one.run_id}   ${one.verb} rests on it`),
      ...(data.next ?? []).map((line) => `${style.bold("Back")}     ${line}`),
    ];
    return lines.join("\n");
  },
});
