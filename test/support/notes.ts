import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import {
  type Capability,
  capability,
  type FileStore,
  type OwedEvent,
} from "../../packages/writ/src/contract/index.ts";

const folder = (root: string) => join(root, ".writ", "notes");
const owedFile = (root: string) => join(folder(root), "owed.json");

/** The smallest file store: one note, and the event it owes until the ledger has it. */
export const notesStore: FileStore = {
  name: "notes",
  owed: async (root) =>
    existsSync(owedFile(root)) ? [JSON.parse(readFileSync(owedFile(root), "utf8")) as OwedEvent] : [],
  find: async (root, act) => existsSync(join(folder(root), act)),
  settled: async (root) => rmSync(owedFile(root), { force: true }),
};

/** Writes a note to a file; `after` runs once the note is committed and before its event is appended. */
export function noteWrite(after: () => void = () => {}): Capability {
  return capability({
    id: "note.write",
    summary: "Write a note.",
    input: z.object({ text: z.string().describe("The note.") }),
    output: () => z.object({ text: z.string().describe("The note.") }),
    need: { effect: "local", network: "never", workspace: "required" },
    commits: notesStore,
    errors: [],
    examples: [
      { title: "A note", input: { text: "a" } },
      { title: "Another", input: { text: "b" } },
    ],
    async run(ctx, { text }) {
      await ctx.settle();
      const root = ctx.workspace?.root ?? "";
      if (ctx.dryRun) return { text, changed: true };
      return ctx.commit({ subjects: ["file:note"] }, async () => {
        mkdirSync(folder(root), { recursive: true });
        const owed: OwedEvent = {
          act: ctx.act,
          capability: "note.write",
          actor: ctx.caller.actor,
          at: new Date(ctx.clock.now()).toISOString(),
          fact: { subjects: ["file:note"] },
        };
        writeFileSync(owedFile(root), JSON.stringify(owed));
        writeFileSync(join(folder(root), ctx.act), text);
        after();
        return { text };
      });
    },
  }) as unknown as Capability;
}
