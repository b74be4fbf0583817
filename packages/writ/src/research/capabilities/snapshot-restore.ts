import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { readErrors } from "../library/errors.ts";
import { libraryFiles } from "../library/file-store.ts";
import { waitInput } from "../sources/flags.ts";

export default capability({
  id: "research.snapshot.restore",
  formerly: { "research restore": "research snapshot restore" },
  summary: "Unite a snapshot, or a corpus file of another program, with the library.",
  description:
    "Every file is checked against its hash first. A snapshot brings all that it was made of; a corpus file is taken as it stands, with its decisions. What is in the library stays; the run can be undone.",
  input: z.object({
    from: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .meta({ local_path: true })
      .describe("A folder that snapshot create made."),
    from_corpus: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .meta({ local_path: true })
      .describe("A Parquet file with the canonical columns."),
    ...waitInput,
  }),
  output: async () => (await import("../snapshot/output.ts")).restoreOutput,
  need: { effect: "local", network: "never", workspace: "required" },
  commits: libraryFiles,
  undo: "research.curate.undo",
  on: ["cli", "http", "mcp"],
  heavy: true,
  errors: [
    ...readErrors,
    "E_MISSING_INPUT",
    "E_CONFLICTING_INPUT",
    "E_NOT_FOUND",
    "E_SNAPSHOT_DAMAGED",
    "E_SCHEMA_MISMATCH",
    "E_UNSAFE_PATH",
    "E_CANCELLED",
  ],
  examples: [
    { title: "A snapshot of Writ", input: { from: ".writ/research/snapshots/20260101T120000Z-9d1d3044" } },
    { title: "A corpus of another program", input: { from_corpus: "corpus.parquet" } },
  ],
  related: ["research snapshot create", "research curate undo"],
  async run(ctx, given) {
    const { requireOne } = await import("../snapshot/input.ts");
    await requireOne(ctx, given);
    const { restoreSnapshot } = await import("../snapshot/restore.ts");
    return restoreSnapshot(ctx, {
      ...(given.from !== undefined && { from: given.from }),
      ...(given.from_corpus !== undefined && { fromCorpus: given.from_corpus }),
      wait: given.wait,
    });
  },
  render(data, style) {
    const lines = [
      `${style.bold("Restored")}  ${data.papers_loaded} papers, ${data.papers_new ?? "?"} of them new`,
      `${style.bold("Library")}   ${data.total_papers ?? "?"} papers   ${data.corpus_hash ?? ""}`,
    ];
    return lines.join("\n");
  },
});
