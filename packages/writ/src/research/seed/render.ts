import type { Answered, Style } from "../../contract/index.ts";
import { counted } from "../../platform/index.ts";
import type { SeedData } from "./output.ts";

const shownSkips = 5;

/** What a seeding did, for a person. */
export function renderSeed(data: SeedData & Answered, style: Style): string {
  const rows: [string, string][] = [];
  if (data.executed_query !== undefined) rows.push(["Query", data.executed_query]);
  if (data.estimate) {
    const { results, pages, cost_usd, assumed, seconds } = data.estimate;
    rows.push([
      "Would fetch",
      `${counted(results, "work")} known, ${counted(pages, "request")}, about ${seconds} s`,
    ]);
    rows.push(["Cost", `${cost_usd} USD${assumed ? " (no price was seen)" : ""}`]);
  }
  if (data.format !== undefined) rows.push(["File", `${data.format}, ${entries(data.entries ?? 0)}`]);
  if (typeof data.papers_new === "number") rows.push(["Papers", papers(data)]);
  if (data.same_work && data.same_work.in_file + data.same_work.in_library > 0)
    rows.push(["Same work", sameWork(data.same_work)]);
  if (typeof data.round === "number" && data.changed !== false)
    rows.push(["Round", `${data.round}   ${data.loop_state ?? ""}`]);
  if (data.resolve)
    rows.push(["DOIs", `${data.resolve.resolved} of ${data.resolve.total_with_doi} looked up`]);
  if (data.reason !== undefined) rows.push(["Nothing", data.reason]);
  const skipped = data.skipped_total ?? data.skipped?.length ?? 0;
  if (skipped > 0) rows.push(["Skipped", `${skipped} without a title, or unreadable`]);
  for (const { where, reason } of (data.skipped ?? []).slice(0, shownSkips))
    rows.push(["", `${where}: ${reason}`]);
  if (data.usage) rows.push(["Asked", asked(data.usage)]);
  for (const [at, line] of (data.next ?? []).entries()) rows.push([at === 0 ? "Next" : "", line]);
  if (data.fix_command !== undefined) rows.push(["Next", data.fix_command]);
  const lines = rows.map(([name, text]) => `${style.bold(name.padEnd(12))}${text}`);
  for (const item of data.translation_report ?? [])
    lines.push(style.dim(`  ${item.construct} ${item.text}: ${item.action}, ${item.effect}; ${item.reason}`));
  return lines.join("\n");
}

function papers(data: SeedData): string {
  const parts = [
    `${data.papers_new} new`,
    `${data.papers_updated ?? 0} changed`,
    `${data.total_papers ?? 0} in all`,
    ...(typeof data.papers_found === "number" ? [`the source knows ${data.papers_found}`] : []),
  ];
  return parts.join(", ");
}

function sameWork({ in_file: twice, in_library: known }: NonNullable<SeedData["same_work"]>): string {
  const parts = [
    ...(twice > 0 ? [`${entries(twice)} as another of the file`] : []),
    ...(known > 0 ? [`${entries(known)} as a paper that was there`] : []),
  ];
  return parts.join(", ");
}

const entries = (count: number): string => counted(count, "entry", "entries");

export function asked(usage: NonNullable<SeedData["usage"]>): string {
  const { source, requests, from_store, cost_usd } = usage;
  const kept = counted(from_store, "answer");
  return `${source}: ${counted(requests, "request")}, ${kept} kept from earlier, ${cost_usd} USD`;
}
