import { fail } from "../../contract/index.ts";
import type { SourceId } from "../model.ts";
import type { Abilities, Source } from "./port.ts";
import { crossref } from "./crossref/source.ts";
import { openAlex } from "./openalex/source.ts";
import { semanticScholar } from "./semanticscholar/source.ts";

/** Every source that can be asked, in the order in which they are offered. */
export const sources: readonly Source[] = [openAlex, crossref, semanticScholar];

/** The source of that name; without one, the one that is asked by default. */
export function sourceOf(id: SourceId = "openalex"): Source {
  const found = sources.find((one) => one.id === id);
  if (!found) throw new TypeError(`no source ${id}`);
  return found;
}

/** Refuses, before anything is sent, what a source cannot do. */
export function requireAble(
  source: Source,
  ability: keyof Abilities,
  { wanted, command }: { wanted: string; command: string },
): void {
  if (source.can[ability]) return;
  const able = sources.filter((one) => one.can[ability]).map((one) => one.id);
  throw fail("E_SOURCE_CANNOT", {
    message: `${source.name} cannot be asked for ${wanted}.`,
    cause: "The service does not offer it.",
    remediation: `Ask one that can: ${command} --source ${able[0] ?? "openalex"}`,
    details: { source: source.id, able },
  });
}
