import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { buildInput } from "../builds/input.ts";
import { renderBuild } from "../builds/render.ts";
import { libraryFiles } from "../library/file-store.ts";
import { fetchErrors } from "../sources/errors.ts";

export default capability({
  id: "research.build",
  formerly: { "research networks": "research build" },
  summary: "Build the networks of the library: who cites, writes and says the same.",
  description:
    "Pairs are counted before they are made, so that a network that is too large is told and not tried. " +
    "Nothing is asked of the network unless --fetch-citers is given. All networks of a build are made from one reading of the library, " +
    "and appear together when they are whole.",
  input: z.object(buildInput),
  output: async () => (await import("../builds/output.ts")).buildOutput,
  need: { effect: "local", network: "may", workspace: "required" },
  narrow: ({ fetch_citers, offline }) => (fetch_citers && !offline ? {} : { network: "never" }),
  commits: libraryFiles,
  undo: "research.build",
  heavy: true,
  errors: [
    ...fetchErrors,
    "E_CONFLICTING_INPUT",
    "E_INVALID_VALUE",
    "E_UNKNOWN_FIELD",
    "E_INVALID_SPEC",
    "E_THESAURUS",
    "E_LIMIT",
    "E_UNSAFE_PATH",
    "E_EXISTS",
  ],
  examples: [
    { title: "The usual networks", input: {} },
    {
      title: "Strong coupling only, normalised",
      input: { networks: ["bibliographic_coupling"], min_weight: 2, normalise: "association" },
    },
    { title: "As a file describes them", input: { spec: "networks.yml" } },
    {
      title: "Keywords under a thesaurus",
      input: { networks: ["keyword_cooccurrence"], thesaurus: "thesaurus.json" },
    },
  ],
  related: ["research read top", "research export", "research status"],
  async run(ctx, given) {
    const { build } = await import("../builds/build.ts");
    return build(ctx, given);
  },
  render: (data, style) => renderBuild(data, style),
});
