import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { renderExport } from "../export/render.ts";
import { exportInput } from "../export/shape.ts";
import { libraryFiles } from "../library/file-store.ts";

export default capability({
  id: "research.export",
  summary: "Write networks for other programs, papers for reference managers, or the PRISMA flow.",
  description:
    "Networks are those that build has made: graphml, gexf, csv, pajek, vosviewer, or html, which is one file that shows them " +
    "without a network. Papers are those of a scope: bibtex, ris, csl-json. Files appear whole; those of yours are not replaced unless you say so.",
  input: z.object(exportInput),
  output: async () => (await import("../export/shape.ts")).exportOutput,
  need: { effect: "local", network: "never", workspace: "required" },
  commits: libraryFiles,
  errors: [
    "E_NO_NETWORKS",
    "E_NOT_FOUND",
    "E_EXISTS",
    "E_UNSAFE_PATH",
    "E_UNSAFE_LINK",
    "E_LIBRARY_MISSING",
    "E_LIBRARY_CORRUPT",
    "E_STORE_LOCKED",
    "E_DUCKDB_UNAVAILABLE",
  ],
  examples: [
    { title: "A page that shows the networks", input: { format: "html" } },
    { title: "One network for Gephi", input: { format: "gexf", network: ["bibliographic_coupling"] } },
    { title: "What was accepted, for a reference manager", input: { format: "bibtex", scope: "accepted" } },
  ],
  related: ["research build", "research read top", "research snapshot create"],
  async run(ctx, given) {
    const { exportLibrary } = await import("../export/export.ts");
    return exportLibrary(ctx, given);
  },
  render: (data, style) => renderExport(data, style),
});
