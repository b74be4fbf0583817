import * as z from "zod";
import { capability } from "../../contract/index.ts";
import { eventSchema } from "../event-schema.ts";

export default capability({
  id: "ledger.show",
  summary: "Show one event whole: its rows and whether they are still so, and its facts.",
  input: z.object({
    event: z.string().min(1).max(100).meta({ positional: 0 }).describe("Its number in the chain, or its id."),
  }),
  output: () =>
    z.object({
      event: eventSchema,
      rows: z.array(
        z.object({
          table: z.string(),
          id: z.string(),
          hash: z.string(),
          now: z.enum(["same", "different", "gone"]),
        }),
      ),
      payload: z
        .record(z.string(), z.unknown())
        .nullable()
        .optional()
        .describe("Facts of the act; null once erased."),
    }),
  need: { effect: "observe", network: "never", workspace: "required" },
  errors: ["E_NOT_FOUND", "E_STORE_OUTDATED"],
  examples: [
    { title: "The first event", input: { event: "1" } },
    { title: "By its id", input: { event: "led_0193b8a0-7c1e-7000-8000-000000000000" } },
  ],
  related: ["ledger list", "ledger verify"],
  async run(ctx, input) {
    const { showEvent } = await import("../show.ts");
    return ctx.read((db) => showEvent(db, input.event));
  },
  render({ event, rows, payload }, style) {
    const { seq, id, at, actor, acts_for, capability: done, kind, outcome, code, subjects, hash } = event;
    const facts = Object.entries(payload ?? {});
    const lines: [string, readonly string[]][] = [
      ["Who", [acts_for ? `${actor} for ${acts_for}` : actor]],
      ["When", [at]],
      ["About", subjects],
      ["Rows", rows.map(({ table, id: row, now }) => `${table} ${row}   ${rowWords[now]}`)],
      [
        "Facts",
        payload === null ? ["erased"] : facts.map(([key, value]) => `${key}   ${JSON.stringify(value)}`),
      ],
      ["Id", [id]],
      ["Hash", [hash]],
    ];
    const head = `${style.bold(`Event ${seq}`)}   ${(done ?? kind).replaceAll(".", " ")}   ${outcome}${code ? ` ${code}` : ""}`;
    const told = lines.flatMap(([name, texts]) =>
      texts.map((text, n) => `${style.bold((n === 0 ? name : "").padEnd(6))}  ${text}`),
    );
    return [head, ...told].join("\n");
  },
});

const rowWords = {
  same: "as this event left it",
  different: "changed since",
  gone: "gone since",
} as const;
