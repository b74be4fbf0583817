import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { libraryFiles } from "../library/file-store.ts";
import { seedInput } from "../seed/input.ts";
import { renderSeed } from "../seed/render.ts";
import { fetchErrors } from "../sources/errors.ts";

export default capability({
  id: "research.seed",
  formerly: { "research enrich": "research seed --resolve", "research resolve": "research seed --resolve" },
  summary: "Bring papers into the library: from a search equation, or from a file.",
  description:
    "The equation is read as typed for Web of Science, Scopus, PubMed or in plain Boolean, and what cannot be said to the source is reported. " +
    "Every answer is kept before it is used, so a run that stops goes on where it was; papers enter together at the end. " +
    "Seeding again unites, adds to the round and keeps every decision.",
  input: z.object(seedInput),
  output: async () => (await import("../seed/output.ts")).seedOutput,
  need: { effect: "local", network: "may", workspace: "optional" },
  narrow: ({ preview, offline, resolve, from_file, from_bib }) => {
    if (preview) return { effect: "observe", network: "never", workspace: "none" };
    const isFile = from_file !== undefined || from_bib !== undefined;
    return { workspace: "required", ...((offline || (isFile && !resolve)) && { network: "never" }) };
  },
  commits: libraryFiles,
  undo: "research.curate.undo",
  errors: [
    ...fetchErrors,
    "E_MISSING_INPUT",
    "E_CONFLICTING_INPUT",
    "E_NO_WORKSPACE",
    "E_NOT_FOUND",
    "E_INVALID_VALUE",
    "E_EQUATION_EMPTY",
    "E_EQUATION_SYNTAX",
    "E_EQUATION_UNSUPPORTED",
    "E_UNKNOWN_FIELD",
    "E_INVALID_SPEC",
    "E_FORMAT_UNKNOWN",
    "E_PARSE",
    "E_UNSAFE_PATH",
  ],
  examples: [
    { title: "A search, at most 200 works", input: { equation: 'alpha AND "beta gamma"', min_year: 2010 } },
    { title: "See how it would be asked", input: { equation: "TI=(coral NEAR/2 reef)", preview: true } },
    { title: "What it would cost", input: { spec: "equation.yml", estimate: true } },
    {
      title: "A file from a reference manager, its DOIs looked up",
      input: { from_file: "works.ris", resolve: true },
    },
  ],
  related: ["research chain", "research status", "research curate filter"],
  async run(ctx, given) {
    const { seed } = await import("../seed/seed.ts");
    return seed(ctx, given);
  },
  render: (data, style) => renderSeed(data, style),
});
