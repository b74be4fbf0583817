import type { Answered, Style } from "../../contract/index.ts";
import { asked } from "../seed/render.ts";
import type { ChainData } from "./output.ts";

/** What following citations found, for a person. */
export function renderChain(data: ChainData & Answered, style: Style): string {
  const rows: [string, string][] = [];
  if (data.by_direction) {
    const { backward, forward } = data.by_direction;
    rows.push(["Would find", `${data.estimated_candidates} works: ${backward} cited, ${forward} citing`]);
    rows.push(["Citing", `at most ${data.forward_upper_bound ?? "an unknown number"} more, once asked`]);
  }
  if (data.estimate) {
    const { pages, cost_usd, seconds } = data.estimate;
    rows.push(["Would fetch", `${pages} requests, ${cost_usd} USD, about ${seconds} s`]);
  }
  if (data.since !== undefined) rows.push(["Since", data.since]);
  if (typeof data.candidates_found === "number")
    rows.push([
      "Found",
      `${data.candidates_found} works, ${data.new_candidates} new papers, ${data.total_papers} in all`,
    ]);
  if (data.fetched && data.fetched.asked > 0)
    rows.push(["Fetched", `${data.fetched.found} of ${data.fetched.asked} cited works`]);
  if (data.enrichment)
    rows.push([
      "DOIs",
      `known of ${data.enrichment.refs_resolved} of ${data.enrichment.refs_total_unique} references`,
    ]);
  if (typeof data.saturation === "number") rows.push(["Saturation", String(data.saturation)]);
  if (data.reason) rows.push(["Nothing", data.reason]);
  if (data.fix_command) rows.push(["Next", data.fix_command]);
  if (data.usage) rows.push(["Asked", asked(data.usage)]);
  const lines = rows.map(([name, text]) => `${style.bold(name.padEnd(12))}${text}`);
  for (const one of data.new ?? data.ranking_preview ?? []) {
    const name = "ref" in one ? one.ref : one.id;
    const title = one.title ?? "";
    lines.push(`  ${String(one.scent).padStart(3)}  ${name.padEnd(28)} ${style.dim(title.slice(0, 70))}`);
  }
  return lines.join("\n");
}
