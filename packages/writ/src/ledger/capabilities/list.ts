import * as z from "zod";
import { capability } from "../../contract/index.ts";
import { pathFromRoot } from "../../platform/index.ts";
import { eventSchema, headSchema } from "../event-schema.ts";

export default capability({
  id: "ledger.list",
  summary: "List what was done here, newest first: who did what, for whom, and how it ended.",
  input: z.object({
    run: z.string().max(100).optional().describe("Only events of this run."),
    actor: z
      .string()
      .max(100)
      .optional()
      .describe("Only events of this actor, e.g. user:ana or client:coder."),
    kind: z
      .string()
      .max(100)
      .optional()
      .describe("Only events of this kind, or family: call.denied, approval.*"),
    subject: z.string().max(500).optional().describe("Only events about this reference or path."),
    since: z.string().max(40).optional().describe("Only events at or after this day or instant."),
    limit: z.int().min(1).max(1000).default(50).describe("At most this many."),
    cursor: z.string().max(20).optional().describe("Go on after an earlier page: its next_cursor."),
  }),
  output: () =>
    z.object({
      events: z.array(eventSchema),
      head: headSchema.describe("Where the chain stands."),
      next_cursor: z.string().optional().describe("Give it as cursor for the next page; absent on the last."),
    }),
  need: { effect: "observe", network: "never", workspace: "required" },
  errors: ["E_INVALID_VALUE", "E_STORE_OUTDATED"],
  examples: [
    { title: "The last fifty events", input: {} },
    { title: "What an agent client did since a day", input: { actor: "client:coder", since: "2026-11-01" } },
  ],
  related: ["ledger show", "ledger verify", "ledger export"],
  async run(ctx, input) {
    const { listEvents } = await import("../list.ts");
    // A subject is a reference or a path, and no other name is taken for a path.
    const named = input.subject === undefined ? undefined : pathFromRoot(ctx, input.subject);
    const filter = named?.found ? { ...input, subject: named.path } : input;
    const page = await ctx.read((db) => listEvents(db, filter));
    return page.events.length > 0 ? page : { ...page, reason: "No event matches." };
  },
  render: (data, style) =>
    data.events.length === 0
      ? "No events."
      : data.events
          .map((event) => {
            const who = event.acts_for ? `${event.actor} for ${event.acts_for}` : event.actor;
            const outcome = event.code ? `${event.outcome} ${event.code}` : event.outcome;
            const about = event.subjects.slice(0, 3).join(", ");
            const words = [style.dim(event.at), who, event.capability ?? event.kind, outcome, about];
            return [String(event.seq).padStart(5), ...words].join("  ").trimEnd();
          })
          .join("\n"),
});
