import { openAlexWork } from "../sources/openalex/read-work.ts";
import { linesOf } from "./decode.ts";
import { parseLine } from "./openalex-line.ts";
import type { Reader } from "./reader.ts";

/** OpenAlex works, one a line: a dump, or what `jq` makes of pages. */
export const openalex: Reader = {
  source: "openalex",
  unbounded: true,
  async *read(pieces, tell) {
    let entry = 0;
    for await (const { text, number: line } of linesOf(pieces)) {
      if (text.trim() === "") continue;
      entry += 1;
      const json = parseLine(text);
      if (json === undefined) yield { entry, line, bad: "It is no JSON." };
      else yield { entry, line, work: openAlexWork(json, (code, where) => tell(code as "W_CUT", where)) };
    }
  },
};
