import { z } from "zod";

/** The shape of `data` of `writ research validate`. */
export const validateOutput = z.object({
  valid: z.boolean(),
  total_papers: z.number().describe("Active papers."),
  checked: z.number().describe("Papers that were computed again and compared."),
  pages: z.number().describe("Stored answers that were read."),
  issues: z.array(
    z.object({
      code: z.enum([
        "column",
        "null",
        "word",
        "alignment",
        "identity",
        "double",
        "fold",
        "alias",
        "merge",
        "decision",
        "json",
        "page",
      ]),
      paper: z.string().optional(),
      column: z.string().optional(),
      message: z.string(),
      fix_command: z.string().optional(),
    }),
  ),
  issues_total: z.number(),
});

export type ValidateData = z.output<typeof validateOutput>;
export type Issue = ValidateData["issues"][number];
