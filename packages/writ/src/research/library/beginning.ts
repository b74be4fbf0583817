import type { Beginning } from "../../contract/index.ts";
import { openingOf, writing } from "./open.ts";
import { libraryFile } from "./place.ts";
import { schemaVersion } from "./schema.ts";

/** What a research workspace begins with: an empty library and its folders. */
export const libraryBeginning: Beginning = {
  data: { library: libraryFile, schema_version: schemaVersion },
  next: ({ path, flag }) => [`writ research seed --from-file ${path("demo/works.jsonl")}${flag}`],
  async make(ctx, folder) {
    const opening = { ...openingOf(ctx, folder, undefined), creates: true, now: new Date(ctx.clock.now()) };
    await writing(opening, async () => {});
  },
};
