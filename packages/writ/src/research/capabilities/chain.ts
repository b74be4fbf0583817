import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { chainInput } from "../chain/input.ts";
import { renderChain } from "../chain/render.ts";
import { libraryFiles } from "../library/file-store.ts";
import { fetchErrors } from "../sources/errors.ts";

export default capability({
  id: "research.chain",
  formerly: { "research monitor": "research chain --since last" },
  summary: "Follow citations: what your papers cite, and what cites your seeds.",
  description:
    "Works are ranked by their scent: how many of your papers point at them, and how many seeds they point at. Citing works enter as candidates; cited ones only with --fetch-top. " +
    "With --since it asks for what was published lately, and is what a schedule calls. It decides nothing.",
  input: z.object(chainInput),
  output: async () => (await import("../chain/output.ts")).chainOutput,
  need: { effect: "local", network: "may", workspace: "required" },
  narrow: ({ preview, offline }) => {
    if (preview) return { effect: "observe", network: "never" };
    return offline ? { network: "never" } : {};
  },
  commits: libraryFiles,
  undo: "research.curate.undo",
  errors: [...fetchErrors, "E_CONFLICTING_INPUT", "E_INVALID_VALUE", "E_NO_CORPUS"],
  examples: [
    { title: "Both ways, one step", input: {} },
    { title: "What it would find, without asking", input: { preview: true } },
    { title: "Bring in the twenty most cited works", input: { direction: "backward", fetch_top: 20 } },
    { title: "What is new since the last run", input: { since: "last", equations: true } },
  ],
  related: ["research seed", "research build", "research read top"],
  async run(ctx, given) {
    const { chain } = await import("../chain/chain.ts");
    return chain(ctx, given);
  },
  render: (data, style) => renderChain(data, style),
});
