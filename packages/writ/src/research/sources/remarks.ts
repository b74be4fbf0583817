import type { Context } from "../../contract/index.ts";
import type { Skipped } from "../model.ts";
import type { Remark } from "./port.ts";

/** One warning a kind for all that was remarked in the answers of a source. */
export function warnOf(
  ctx: Pick<Context, "warn">,
  remarks: readonly Remark[],
  skipped: readonly Skipped[],
): void {
  const of = (code: Remark["code"]) => [
    ...new Set(remarks.filter((one) => one.code === code).map((one) => one.where)),
  ];
  const dois = of("W_DOI_INVALID");
  if (dois.length > 0)
    ctx.warn({
      code: "W_DOI_INVALID",
      message: `What ${some(dois)} ${dois.length === 1 ? "gives" : "give"} as a DOI is none; it was left out.`,
    });
  const cut = of("W_CUT");
  if (cut.length > 0)
    ctx.warn({ code: "W_CUT", message: `Texts or lists of ${some(cut)} were too long and were cut.` });
  const [limit] = of("W_PAGE_LIMIT");
  if (limit !== undefined)
    ctx.warn({
      code: "W_PAGE_LIMIT",
      message: `The source gives 10,000 of ${limit} without a key.`,
      remediation: "writ key set OPENALEX_API_KEY",
    });
  if (skipped.length > 0)
    ctx.warn({
      code: "W_RECORD_SKIPPED",
      message: `${skipped.length === 1 ? "One entry is" : `${skipped.length} entries are`} no record: see skipped.`,
    });
}

function some(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(", ");
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
