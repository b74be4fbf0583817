import type { Style } from "../../contract/index.ts";

type Cells = Record<string, unknown>;

/** Papers as lines: year, status, title and what else was asked for. */
export function renderList(
  data: {
    papers: Cells[];
    total: number;
    count: number;
    next?: string[];
    reason?: string;
    fix_command?: string;
    shared?: Cells[] | undefined;
  },
  style: Style,
): string {
  const lines = data.papers.map((paper) => lineOf(paper, style));
  for (const one of data.shared ?? [])
    lines.push(`${style.dim("shared")}  ${text(one.ref)}  ${text(one.title ?? one.doi)}`);
  if (lines.length === 0)
    return [data.reason ?? "No paper.", ...(data.fix_command ? [data.fix_command] : [])].join("\n");
  const [next] = data.next ?? [];
  lines.push(style.dim(`${data.count} of ${data.total}${next === undefined ? "" : `; more: ${next}`}`));
  return lines.join("\n");
}

function lineOf(paper: Cells, style: Style): string {
  const { id, title, year, curation_status: status, is_seed: seed, ...rest } = paper;
  const head = [
    year === undefined ? undefined : text(year).padStart(4),
    status === undefined ? undefined : text(status).padEnd(9),
    seed === true ? "seed" : seed === false ? "    " : undefined,
    title === undefined ? undefined : style.bold(text(title)),
    id === undefined ? undefined : style.dim(text(id)),
  ].filter((one) => one !== undefined);
  const more = Object.entries(rest).map(([name, value]) => `      ${style.dim(name)} ${text(value)}`);
  return [head.join("  "), ...more].join("\n");
}

function text(value: unknown): string {
  if (value === null || value === undefined) return "–";
  return typeof value === "string"
    ? value
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);
}

/** Groups as a table. */
export function renderStats(
  data: { group_by: string; total: number; groups: { key: unknown; count: number }[]; reason?: string },
  style: Style,
): string {
  const width = Math.max(data.group_by.length, ...data.groups.map(({ key }) => text(key).length));
  return [
    `${style.bold(data.group_by.padEnd(width))}  ${style.bold("papers")}`,
    ...data.groups.map(({ key, count }) => `${text(key).padEnd(width)}  ${count}`),
    style.dim(`${data.total} papers`),
  ].join("\n");
}

/** One paper as a card. */
export function renderShow(
  data: {
    paper: Cells;
    records: { source: string; via: string; fetched_at: string }[];
    decisions: { decision: string | null; by: string | null; reason: string | null; undone: boolean }[];
    cited_by_papers: unknown[];
    cites_papers: unknown[];
    scent: number;
  },
  style: Style,
): string {
  const { paper } = data;
  const label = (name: string) => style.bold(name.padEnd(9));
  const authors = Array.isArray(paper.authors_raw) ? paper.authors_raw.join("; ") : "–";
  const lines = [
    style.bold(text(paper.title)),
    `${label("By")}${authors}`,
    `${label("In")}${text(paper.source)}, ${text(paper.year)}`,
    `${label("Id")}${text(paper.id)}${paper.doi ? `   https://doi.org/${text(paper.doi)}` : ""}`,
    `${label("Status")}${text(paper.curation_status)}${paper.is_seed === true ? ", seed" : ""}, scent ${data.scent}`,
    `${label("Citations")} cites ${data.cites_papers.length} papers here, cited by ${data.cited_by_papers.length}`,
    ...data.records.map(
      (one, at) => `${label(at === 0 ? "Told by" : "")}${one.source} (${one.via}), ${one.fetched_at}`,
    ),
    ...data.decisions.map(
      (one) =>
        `${label("Decided")}${one.decision ?? "note"} by ${one.by ?? "?"}${one.reason ? `: ${one.reason}` : ""}${one.undone ? " (undone)" : ""}`,
    ),
  ];
  if (paper.abstract) lines.push("", text(paper.abstract));
  return lines.join("\n");
}
