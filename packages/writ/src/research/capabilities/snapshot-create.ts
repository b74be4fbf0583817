import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { readErrors } from "../library/errors.ts";
import { libraryFiles } from "../library/file-store.ts";
import { waitInput } from "../sources/flags.ts";

export default capability({
  id: "research.snapshot.create",
  summary: "Write the whole library into a new folder of Parquet files, with their hashes.",
  description:
    "corpus.parquet holds the papers, tables/ everything they are computed from, manifest.json how it came to be. It never overwrites, and the library stays as it is.",
  input: z.object({
    out_dir: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .meta({ local_path: true })
      .describe("Where the new folder is made. Default: .writ/research/snapshots."),
    ...waitInput,
  }),
  output: async () => (await import("../snapshot/output.ts")).createOutput,
  need: { effect: "local", network: "never", workspace: "required" },
  commits: libraryFiles,
  heavy: true,
  errors: [...readErrors, "E_UNSAFE_PATH", "E_CANCELLED"],
  examples: [
    { title: "In the library's own folder", input: {} },
    { title: "Somewhere else", input: { out_dir: "../backups" } },
  ],
  related: ["research snapshot restore", "research validate"],
  async run(ctx, { out_dir, wait }) {
    const { createSnapshot } = await import("../snapshot/create.ts");
    return createSnapshot(ctx, out_dir, { wait });
  },
  render(data, style) {
    const lines = [
      `${style.bold("Snapshot")}  ${data.snapshot_dir}${data.changed === false ? "   was there" : ""}`,
      `${style.bold("Papers")}    ${data.total_papers}   ${data.corpus_hash}`,
    ];
    return lines.join("\n");
  },
});
