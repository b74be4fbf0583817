import type { Answered, Style } from "../../contract/index.ts";
import type { TopData } from "./top-shape.ts";

type Entry = TopData["central"][number];

/** A line for each entry, with what it is ranked by. */
export function renderTop(data: TopData & Answered, style: Style): string {
  const about = data.network === null ? `${data.kind}, not built yet` : data.network;
  const lines = [
    style.bold(`By ${data.by} in ${about}${data.stale ? " (stale)" : ""}`),
    ...listed(data.central, style),
    ...(data.reason === undefined ? [] : [`  ${data.reason}`]),
    ...(data.fix_command === undefined ? [] : [style.dim(`  ${data.fix_command}`)]),
  ];
  for (const { community, size, papers } of data.groups ?? [])
    lines.push("", style.bold(`Community ${community}, ${size} nodes`), ...listed(papers, style));
  if (data.cocitation.length > 0)
    lines.push(
      "",
      style.bold("Cited together"),
      ...data.cocitation.map(
        ({ weight, source_title: a, target_title: b }) =>
          `  ${String(weight).padStart(4)}  ${cut(a)} + ${cut(b)}`,
      ),
    );
  return lines.join("\n");
}

function listed(entries: readonly Entry[], style: Style): string[] {
  return entries.flatMap(({ id, title, value, reasons }, at) => [
    `  ${String(at + 1).padStart(3)}  ${shortened(value).padStart(8)}  ${cut(title)}  ${style.dim(id)}`,
    ...(reasons ? [style.dim(`                 ${reasons.join("; ")}`)] : []),
  ]);
}

const shortened = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(4));
const cut = (text: string): string => (text.length > 70 ? `${text.slice(0, 69)}…` : text);
