import { join } from "node:path";
import { type Pieces, writePieces } from "../export/text-file.ts";
import type { Database } from "../library/database.ts";
import { diagramText } from "./diagram/svg.ts";
import { type Flow, flowOf } from "./flow.ts";
import { behindText } from "./papers.ts";
import { prepareFlow, readFlow, readRuns } from "./rows.ts";
import { templateText } from "./template.ts";

/**
 * Writes the flow of PRISMA 2020 into a folder: `prisma.json`, `prisma.csv` and `prisma.svg`; with `ids` the first
 * also names what stands behind each number. `papers` is how many were screened. Changes nothing in the library.
 */
export async function writePrisma(
  db: Database,
  { target, ids }: { target: string; ids: boolean },
): Promise<{ files: string[]; papers: number }> {
  const flow = await readPrisma(db);
  const contents: Record<string, Pieces> = {
    "prisma.json": flowText(db, flow, ids),
    "prisma.csv": [templateText(flow)],
    "prisma.svg": [diagramText(flow)],
  };
  const files: string[] = [];
  for (const [name, text] of Object.entries(contents)) {
    await writePieces(join(target, name), text);
    files.push(join(target, name));
  }
  return { files, papers: flow.boxes.screened.total };
}

/** The flow as the library's rows have it now. Leaves what it counted in temporary tables. */
export async function readPrisma(db: Database): Promise<Flow> {
  await prepareFlow(db);
  return flowOf(await readFlow(db));
}

/** The text of prisma.json, in pieces. */
async function* flowText(db: Database, flow: Flow, ids: boolean): AsyncGenerator<string> {
  const head = JSON.stringify({ standard: "PRISMA 2020", ...flow, ...(await readRuns(db)) }, null, 2);
  if (!ids) yield `${head}\n`;
  else {
    yield `${head.slice(0, -"\n}".length)},\n  "behind": `;
    yield* behindText(db, { reports: flow.boxes.reports !== undefined });
    yield "\n}\n";
  }
}
