import { basename, dirname, join, resolve } from "node:path";
import { type Context, fail } from "../../contract/index.ts";
import {
  hashFile,
  lstatOrNull,
  makeFolder,
  quote,
  replaceFile,
  removeTree,
  makeTemporaryFolder,
} from "../../platform/index.ts";
import { availableBuilds } from "../builds/recorded.ts";
import { parquetOf } from "../export/network-file.ts";
import { shownPath, targetFolder } from "../export/target.ts";
import { writePieces } from "../export/text-file.ts";
import { type CurationRow, curationText } from "../formats/curation-csv.ts";
import { notesSql } from "../formats/exported.ts";
import { commitLibrary } from "../library/change.ts";
import type { Database } from "../library/database.ts";
import { placeOf } from "../library/place.ts";
import { scentSql } from "../library/scent.ts";
import { totalPapers } from "../library/standing.ts";
import { readLibrary, rootOf } from "../library/use.ts";

export interface DumpInput {
  out?: string | undefined;
  scope: "candidates" | "seeds" | "all";
  network: string;
  wait: number;
}

export interface Dumped {
  file: string;
  /** Where a file of other content was moved to. */
  kept?: string;
  scope: string;
  rows: number;
  run_id: string | null;
  changed: boolean;
  reason?: string;
  fix_command?: string;
}

const scopes: Readonly<Record<DumpInput["scope"], string>> = {
  candidates: "p.active AND p.curation_status = 'candidate' AND NOT p.is_seed",
  seeds: "p.active AND p.is_seed",
  all: "p.active",
};

/** Writes the file in which a person decides. What stands in its place with other content is kept beside it. */
export async function dumpCuration(ctx: Context, given: DumpInput): Promise<Dumped> {
  const root = rootOf(ctx);
  const usual = placeOf(root).exports;
  const out = given.out === undefined ? join(usual, "curation.csv") : resolve(ctx.base, given.out);
  const target = await targetFolder(ctx, given.out === undefined ? undefined : dirname(out), usual);
  const file = join(target.folder, basename(out));
  await refuseOther(file, shownPath(root, file));
  // A rehearsal writes to nobody's folder.
  const beside = ctx.dryRun ? usual : target.folder;
  await makeFolder(beside);
  const stage = await makeTemporaryFolder(join(beside, basename(out)));
  try {
    const made = join(stage, basename(out));
    let rows = 0;
    let papers = 0;
    await readLibrary(
      ctx,
      async (db) => {
        const network = await nodesOf(db, root, given.network);
        const counted = async function* () {
          for await (const batch of curationRows(db, given.scope, network)) {
            rows += batch.length;
            yield batch;
          }
        };
        await writePieces(made, curationText(counted()));
        papers = await totalPapers({ db });
      },
      { wait: given.wait },
    );
    const stands = (await lstatOrNull(file)) !== null;
    const same = stands && (await hashFile(file)) === (await hashFile(made));
    const shown = shownPath(root, file);
    const empty = rows === 0 ? emptiness(given.scope, papers) : {};
    const answer = { file: shown, scope: given.scope, rows, ...empty };
    if (same || ctx.dryRun) return { ...answer, run_id: null, changed: !same };
    const params = { scope: given.scope, network: given.network, out: shown };
    return await commitLibrary(ctx, { verb: "curate.dump", params, wait: given.wait }, async (change) => {
      // Nobody else writes now: of two dumps at once neither takes the other's for what somebody has edited.
      const kept = (await lstatOrNull(file)) === null ? undefined : await keep(file);
      await replaceFile(made, file);
      change.setCounts({ rows });
      return {
        ...answer,
        ...(kept !== undefined && { kept: shownPath(root, kept) }),
        run_id: change.run.id,
        changed: true,
      };
    });
  } finally {
    await removeTree(stage);
  }
}

/** Only a file makes room for another. Throws E_EXISTS. */
async function refuseOther(file: string, shown: string): Promise<void> {
  const stands = await lstatOrNull(file);
  if (stands === null || stands.isFile() || stands.isSymbolicLink()) return;
  throw fail("E_EXISTS", {
    message: `${shown} is no file.`,
    cause: stands.isDirectory() ? "It is a folder." : "It is a device, or something like one.",
    remediation: `Name a file: writ research curate dump --out ${quote(join(stands.isDirectory() ? shown : ".", "curation.csv"))}`,
    details: { files: [shown] },
  });
}

function emptiness(scope: DumpInput["scope"], papers: number): { reason: string; fix_command?: string } {
  if (scope === "candidates" && papers > 0) {
    return {
      reason: `${papers === 1 ? "The one paper is a seed, or is" : `All ${papers} papers are seeds, or are`} decided already: 0 rows.`,
      fix_command: "writ research curate dump --scope all",
    };
  }
  return { reason: "The library has no such paper: 0 rows.", fix_command: "writ research status" };
}

/** The older file under the next free name: `curation.csv.bak-1`. */
async function keep(file: string): Promise<string> {
  for (let at = 1; ; at += 1) {
    const kept = `${file}.bak-${at}`;
    if ((await lstatOrNull(kept)) !== null) continue;
    await replaceFile(file, kept);
    return kept;
  }
}

/** The nodes of the newest build of a network; undefined where there is none. */
async function nodesOf(db: Database, root: string, name: string): Promise<string | undefined> {
  const build = (await availableBuilds(db, root)).find((one) => one.name === name);
  return build && `${build.folder}/nodes.parquet`;
}

async function* curationRows(
  db: Database,
  scope: DumpInput["scope"],
  nodes: string | undefined,
): AsyncGenerator<CurationRow[]> {
  const clusters =
    nodes === undefined
      ? "SELECT NULL AS id, NULL AS community"
      : `SELECT CAST(id AS VARCHAR) AS id, community FROM ${parquetOf(nodes)}`;
  yield* db.stream<CurationRow>(
    `SELECT p.id, p.source_id, p.title, p.year, array_to_string(p.authors_raw, ' | ') AS authors, p.source AS venue, p.doi,
       array_to_string(p.keywords_raw, ' | ') AS keywords, p.cited_by_count,
       coalesce(len(p.references_id), 0) + coalesce(len(p.refs_other), 0) AS references_count,
       CASE WHEN p.is_seed THEN 'True' ELSE 'False' END AS is_seed,
       CASE WHEN regexp_full_match(p.source_id, 'W\\d+') THEN 'https://openalex.org/' || p.source_id END AS openalex_url,
       coalesce(s.scent, 0) AS scent_score, c.community AS cluster,
       CASE p.curation_status WHEN 'candidate' THEN 'undecided' ELSE p.curation_status END AS decision, n.note, p.abstract
     FROM papers p LEFT JOIN (${scentSql()}) s ON s.id = p.id LEFT JOIN (${clusters}) c ON c.id = p.id
       LEFT JOIN (${notesSql}) n ON n.paper_id = p.id
     WHERE ${scopes[scope]} ORDER BY scent_score DESC, p.id`,
  );
}
