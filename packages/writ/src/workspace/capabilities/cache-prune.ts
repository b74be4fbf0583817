import * as z from "zod";
import { capability } from "../../contract/index.ts";

export default capability({
  id: "workspace.cache.prune",
  path: "cache prune",
  summary: "Remove cached repositories that have not been used for long.",
  description:
    "Also removes what interrupted fetches left and packs loose objects. A repository that is being fetched is skipped, and one that holds an unpushed promotion is kept unless --all. What is removed is fetched again when it is needed.",
  input: z.object({
    older_than: z
      .int()
      .min(0)
      .max(36_500)
      .default(90)
      .describe("Days without use after which a repository goes."),
    repo: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe("Only this repository (org/repo or URL), whatever its age."),
    all: z.boolean().default(false).describe("Every repository, whatever its age."),
  }),
  output: () =>
    z.object({
      removed: z.array(z.object({ repo: z.string(), bytes: z.int() })),
      kept: z.array(z.object({ repo: z.string(), reason: z.string().describe("Why it stays.") })),
      freed_bytes: z.int().describe("Space that was freed."),
    }),
  need: { effect: "local", network: "never", workspace: "none" },
  errors: ["E_INVALID_VALUE", "E_TOOL_MISSING", "E_UNSAFE_URL"],
  examples: [
    { title: "What was not used for 90 days", input: {} },
    { title: "One repository that seems damaged", input: { repo: "acme/agent-stack" } },
    { title: "Everything", input: { all: true } },
  ],
  related: ["cache path"],
  async run(ctx, { older_than, repo, all }) {
    const { pruneCache } = await import("../sources/prune-cache.ts");
    const pruned = await pruneCache(ctx, { olderThanDays: older_than, repo, all });
    return pruned.changed ? pruned : { ...pruned, reason: "Nothing in the cache is to be removed." };
  },
  render: (data) =>
    [
      ...data.removed.map(({ repo, bytes }) => `removed  ${repo}   ${Math.round(bytes / 1024)} KiB`),
      ...data.kept.map(({ repo, reason }) => `kept     ${repo}   ${reason}`),
      `${Math.round(data.freed_bytes / 1024)} KiB freed`,
    ].join("\n"),
});
