import type { Database } from "../library/database.ts";
import type { NetworkKind, Scope } from "../model.ts";
import { emptyReason, hasPair } from "./empty.ts";
import { defaultKinds, kinds } from "./kinds.ts";
import { linkPapers } from "./links.ts";
import { selectPapers } from "./papers.ts";
import { activeThesaurus } from "./thesaurus.ts";

/** Whether the default build would leave a network empty, and why. */
export interface Preview {
  kind: NetworkKind;
  would_be_empty: boolean;
  reason?: string;
  fix_command?: string;
}

// A proof is mostly found among the first; only a network that is empty is looked for everywhere.
const looks = [1000, 10_000, 100_000, undefined];

/** What `build` would find for each kind of the default build: the same question, of some papers first. */
export async function buildPreview(db: Database, options: { scope?: Scope } = {}): Promise<Preview[]> {
  const { scope = "all" } = options;
  const thesaurus = await activeThesaurus(db);
  const previews = new Map<NetworkKind, Preview>();
  for (const first of looks) {
    const open = defaultKinds.filter((kind) => !previews.has(kind));
    if (open.length === 0) break;
    const { papers } = await selectPapers(db, { scope, ...(first !== undefined && { first }) });
    const isAll = first === undefined || papers < first;
    for (const kind of open) {
      const { holders } = await linkPapers(db, kinds[kind].key, thesaurus);
      if (await hasPair(db, kind)) previews.set(kind, { kind, would_be_empty: false });
      else if (isAll) {
        const why = await emptyReason(db, { kind, papers, holders, minWeight: 1 });
        previews.set(kind, { kind, would_be_empty: true, ...why });
      }
    }
  }
  return defaultKinds.flatMap((kind) => previews.get(kind) ?? []);
}
