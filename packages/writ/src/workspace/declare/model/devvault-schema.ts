import * as z from "zod";
import { relativePath, slug } from "./text.ts";

/** devvault.yml of a product's stack: which secrets it needs, never their values. */
export const DevvaultSchema = z
  .strictObject({
    schema: z.literal("devvault/1").describe("The format of this file."),
    product: slug.describe("The product it is about."),
    description: z.string().max(1000).optional(),
    secrets: z
      .record(z.string().min(1).max(200), relativePath)
      .describe("Logical name to a path relative to the machine's vault."),
  })
  .meta({ title: "devvault.yml", description: "The secrets that a product needs, by name." });
