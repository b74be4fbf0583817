import { z } from "zod";
import { networkKinds } from "../model.ts";

const transition = z.enum([
  "seed",
  "chain",
  "filter",
  "build",
  "snapshot",
  "read",
  "validate",
  "reseed",
  "monitor",
  "export",
]);

/** The shape of `data` of `writ research status`. */
export const statusOutput = z.object({
  loop_state: z
    .enum(["SEEDED", "FORAGED", "FILTERED", "BUILT", "MONITORED"])
    .nullable()
    .describe("Where the loop stands; null before anything was seeded."),
  round: z.number().describe("How often the library has been seeded."),
  transitions_available: z.array(transition).describe("What may be done, most useful first."),
  commands_available: z
    .array(
      z.object({
        transition,
        command: z.string().optional().describe("A complete line that runs as it is printed."),
        needs: z.array(z.string()).optional(),
        reason: z.string().optional(),
      }),
    )
    .describe("The same steps as commands, in the same order."),
  curation_available: z.array(z.enum(["accept", "reject"])),
  next_best_action: transition,
  next_command: z.string().optional(),
  readiness: z
    .object({ ready: z.boolean(), reason: z.string() })
    .describe("Whether the next best action would bring anything."),
  counts_by_status: z.object({ candidate: z.number(), accepted: z.number(), rejected: z.number() }),
  total_papers: z.number().describe("Active papers, of any status."),
  seeds: z.number(),
  merged: z.number().describe("Papers that were joined to another by a person's word."),
  referenced_not_fetched: z.number().describe("Works that are cited here and are no papers."),
  saturation: z.number().nullable().describe("1 - new works / known works that several papers point at."),
  build_preview: z.array(
    z.object({
      kind: z.enum(networkKinds),
      would_be_empty: z.boolean(),
      reason: z.string().optional(),
      fix_command: z.string().optional(),
    }),
  ),
  networks_cache_stale: z.boolean().describe("Whether any network is older than its papers."),
  builds: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(networkKinds),
      scope: z.string(),
      nodes: z.number(),
      edges: z.number(),
      built_at: z.string(),
      stale: z.boolean(),
      run_id: z.string(),
    }),
  ),
  unfinished_runs: z.array(
    z.object({
      run_id: z.string(),
      verb: z.string(),
      state: z.string(),
      pages_done: z
        .number()
        .nullable()
        .describe("Null where the run was killed: what it had fetched is in the page store all the same."),
      started_at: z.string(),
      resume: z.string().optional().describe("The command that goes on."),
      discard: z.string().describe("The command that gives it up."),
    }),
  ),
  runs: z
    .array(
      z.object({
        run_id: z.string().describe("Give it to curate undo."),
        verb: z.string(),
        state: z.string().describe("running, paused, failed or done."),
        actor: z.string().nullable(),
        started_at: z.string(),
        undone: z.boolean().describe("Whether it counts no more."),
      }),
    )
    .describe("The newest runs, the last first; as many as --runs says."),
  last_run: z
    .object({
      run_id: z.string(),
      verb: z.string(),
      actor: z.string().nullable(),
      ended_at: z.string().nullable(),
    })
    .nullable(),
  sources: z.array(
    z.object({
      id: z.string(),
      key_present: z.boolean(),
      remaining_usd: z.number().optional(),
      as_of: z.string().optional(),
    }),
  ),
  library: z.object({ bytes: z.number(), pages_bytes: z.number(), schema_version: z.string() }),
});

export type StatusData = z.output<typeof statusOutput>;
