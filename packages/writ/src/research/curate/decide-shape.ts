import { z } from "zod";
import type { Answered, Style } from "../../contract/index.ts";
import { counted } from "../../platform/index.ts";
import { waitInput } from "../sources/flags.ts";

const text = z.string().min(1).max(2000);

/** Whose name stands beside decisions. */
export const byInput = {
  by: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Whose decision it is. Only at this machine's terminal; elsewhere it is the caller's."),
};

export const decideInput = {
  ids: z
    .array(z.string().min(1).max(2000))
    .min(1)
    .meta({ alias: "id" })
    .describe("A paper: its id, DOI or id at a source. May be repeated."),
  reason: text.optional().describe("Why, in a few words."),
  note: text.optional().describe("A note kept with the papers."),
  ...byInput,
  ...waitInput,
};

export const decideOutput = {
  ids: z.array(z.string()).describe("The papers, by their ids in the library."),
  run_id: z.string().nullable().describe("The run that decided; null where nothing was written."),
};

/** What was decided, for people. */
export function renderDecided(
  data: { ids: string[]; run_id: string | null } & Answered,
  { word, count, style }: { word: string; count: number; style: Style },
): string {
  if (data.changed === false) return `${style.green("ok")}  ${data.reason ?? "Nothing changed."}`;
  const shown = data.ids.slice(0, 10);
  const more = data.ids.length - shown.length;
  const lines = [
    `${style.bold(word)}  ${counted(count, "paper")}`,
    ...shown.map((id) => `  ${id}`),
    ...(more > 0 ? [style.dim(`  … and ${more} more`)] : []),
    ...(data.run_id === null
      ? []
      : [style.dim(`Take it back: writ research curate undo --run ${data.run_id}`)]),
  ];
  return lines.join("\n");
}
