import type { Answered, Style } from "../../contract/index.ts";
import { counted } from "../../platform/index.ts";
import type { ExportData } from "./shape.ts";

/** The files, and what they hold. */
export function renderExport(data: ExportData & Answered, style: Style): string {
  const { files_written: files, networks_exported: networks, papers_exported: papers } = data;
  const what = papers === undefined ? counted(networks, "network") : counted(papers, "paper");
  const head = style.bold(`${what} as ${data.format} in ${data.out_dir}`);
  return [
    head,
    ...files.map((file) => `  ${file}`),
    ...(data.reason === undefined ? [] : [style.dim(data.reason)]),
  ].join("\n");
}
