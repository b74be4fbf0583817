import { z } from "zod";
import { fail } from "../../contract/index.ts";
import { networkInput, waitInput } from "../sources/flags.ts";

export const chainInput = {
  direction: z
    .enum(["backward", "forward", "both"])
    .default("both")
    .describe("Works that your papers cite, works that cite your seeds, or both."),
  max_citing: z.int().min(1).max(10_000).default(50).describe("Citing works kept for each seed."),
  max_candidates: z.int().min(1).max(1_000_000).optional().describe("Cuts the ranking to its first."),
  fetch_top: z
    .int()
    .min(0)
    .max(100_000)
    .default(0)
    .describe("How many of the best cited works are brought into the library."),
  depth: z
    .int()
    .min(1)
    .max(3)
    .default(1)
    .describe("Steps of citation to follow; more than 1 needs --fetch-top."),
  since: z
    .string()
    .max(40)
    .optional()
    .describe("Only what was published from then on: a date, 90d, 2m, 1y, or last for the last run."),
  equations: z.boolean().default(false).describe("With --since: ask every recorded equation again too."),
  resolve_refs: z
    .boolean()
    .default(true)
    .describe("Look up the DOIs of references; --no-resolve-refs leaves that out."),
  preview: z.boolean().default(false).describe("Arithmetic on the library: no request, no change."),
  estimate: z.boolean().default(false).describe("Ask for one result, to learn count and price."),
  ...networkInput,
  ...waitInput,
};

const schema = z.object(chainInput);
export type ChainInput = z.output<typeof schema>;

/** Refuses flags that exclude each other. */
export function checkFlags(given: ChainInput): void {
  if (given.depth > 1 && given.fetch_top === 0)
    throw conflict("--depth above 1", "a run without --fetch-top");
  if (given.since !== undefined && given.direction === "backward")
    throw conflict("--since", "--direction backward");
  if (given.since !== undefined && given.depth > 1) throw conflict("--since", "--depth above 1");
  if (given.equations && given.since === undefined) throw conflict("--equations", "a run without --since");
  if (given.preview && given.estimate) throw conflict("--preview", "--estimate");
}

function conflict(first: string, second: string) {
  return fail("E_CONFLICTING_INPUT", {
    message: `${first} and ${second} exclude each other.`,
    cause: "Each of them asks for what the other rules out.",
    remediation: "Leave one of them out: writ research chain --help",
    details: { inputs: [first, second] },
  });
}
