import * as z from "zod";
import { capability } from "../../contract/index.ts";
import { lstatOrNull } from "../../platform/index.ts";

export default capability({
  id: "workspace.cache.path",
  path: "cache path",
  summary: "Say where the cache is and what it holds.",
  description:
    "The cache mirrors the repositories that were asked for. It is always safe to delete; everything in it can be fetched again.",
  input: z.object({}),
  output: () =>
    z.object({
      path: z.string().describe("The cache folder."),
      env_var: z.string().describe("The variable that moves it."),
      exists: z.boolean(),
      bytes: z.int().describe("Size on disk of the repositories."),
      repositories: z.int().describe("How many there are."),
    }),
  need: { effect: "observe", network: "never", workspace: "none" },
  errors: [],
  examples: [
    { title: "Where it is", input: {} },
    { title: "As data for a script: writ cache path --json", input: {} },
  ],
  related: ["cache prune"],
  async run(ctx) {
    const { listCache } = await import("../sources/cache-list.ts");
    const { cache } = ctx.folders;
    const repos = await listCache(cache);
    return {
      path: cache,
      env_var: "WRIT_CACHE_DIR",
      exists: (await lstatOrNull(cache)) !== null,
      bytes: repos.reduce((sum, { bytes }) => sum + bytes, 0),
      repositories: repos.length,
    };
  },
  render: (data) =>
    `${data.path}   ${data.repositories} ${data.repositories === 1 ? "repository" : "repositories"}, ${Math.round(data.bytes / 1024)} KiB${data.exists ? "" : "   (not there yet)"}`,
});
