import { z } from "zod";
import { scopeInput } from "../builds/input.ts";
import { waitInput } from "../sources/flags.ts";

/** Formats of networks, and of papers. */
export const networkFormats = ["graphml", "gexf", "csv", "pajek", "vosviewer", "html"] as const;
export const paperFormats = ["bibtex", "ris", "csl-json"] as const;
export const formats = [...networkFormats, ...paperFormats, "prisma"] as const;
export type Format = (typeof formats)[number];
export type NetworkFormat = (typeof networkFormats)[number];

export const exportInput = {
  format: z.enum(formats).describe("What is written: networks, papers, or the flow of PRISMA 2020."),
  network: z.array(z.string()).max(64).default([]).describe("Networks that were built; all without one."),
  ...scopeInput,
  include_rejected: z.boolean().default(false).describe("Rejected papers too."),
  ids: z.boolean().default(false).describe("With prisma: the papers behind each number, too."),
  out_dir: z.string().optional().meta({ local_path: true }).describe("Where the files are written."),
  force: z.boolean().default(false).describe("Replace files of other content outside the exports folder."),
  ...waitInput,
};
const schema = z.object(exportInput);
export type ExportInput = z.output<typeof schema>;

export const exportOutput = z.object({
  run_id: z.string(),
  format: z.enum(formats),
  out_dir: z.string(),
  files_written: z.array(z.string()),
  networks_exported: z.number(),
  papers_exported: z.number().optional(),
});
export type ExportData = z.output<typeof exportOutput>;
