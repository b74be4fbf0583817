import { type FileHandle, link, mkdtemp, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fail, type SqlReader } from "../contract/index.ts";
import { errnoOf, storing, syncFolder } from "../platform/index.ts";
import type { Store } from "../store/index.ts";
import { type Checkpoint, makeCheckpoint, storedCheckpoints, type Witness } from "./checkpoint.ts";
import { readWitness } from "./checkpoint-file.ts";
import { genesisHash } from "./event.ts";
import { eventBatches } from "./event-batches.ts";
import { eventOf } from "./event-row.ts";
import { type ExportHeader, printLine } from "./export-lines.ts";
import { readHead } from "./head.ts";

export interface ExportOptions {
  /** Absolute path of the file to write. */
  out: string;
  from?: number;
  to?: number;
  /** Replaces a file that is there; else E_EXISTS. */
  replace?: boolean;
  witness: Witness;
}

export interface Exported {
  file: string;
  events: number;
  checkpoint: Checkpoint | null;
}

/**
 * Signs where the chain stands and writes it as JSON lines with its checkpoints and public keys. The file
 * appears whole or not at all; events are written as they are read.
 */
export async function exportLedger(store: Store, options: ExportOptions): Promise<Exported> {
  const checkpoint = await makeCheckpoint(store, options.witness);
  const witnessed = await readWitness(options.witness.folder, store.workspaceId);
  const keys = new Map(witnessed.map((line) => [line.key_id, line.public_key]));
  const key = await options.witness.key();
  keys.set(key.keyId, key.publicKey);
  let events = 0;
  await writeStreamed(options, async (file) => {
    events = await store.read((db) => writeLines(db, file, { options, keys }));
  });
  return { file: options.out, events, checkpoint };
}

async function writeLines(
  db: SqlReader,
  file: FileHandle,
  { options, keys }: { options: ExportOptions; keys: ReadonlyMap<string, string> },
): Promise<number> {
  const from = Math.max(1, options.from ?? 1);
  const to = Math.min((await readHead(db)).seq, options.to ?? Number.POSITIVE_INFINITY);
  // Those of another installation's key cannot be checked by a reader of the file, and stay out of it.
  const checkpoints = (await storedCheckpoints(db)).filter(
    ({ seq, key_id }) => seq >= from && seq <= to && keys.has(key_id),
  );
  const header: ExportHeader = {
    schema: "1",
    workspace: db.workspaceId,
    from,
    to: Math.max(to, from - 1),
    prev_hash: await hashBefore(db, from),
    checkpoints: checkpoints.length,
    public_keys: Object.fromEntries(checkpoints.map(({ key_id }) => [key_id, keys.get(key_id) ?? ""])),
  };
  await file.appendFile(printLine({ ledger: header }));
  let events = 0;
  for await (const rows of eventBatches(db, from - 1, to)) {
    await file.appendFile(rows.map((row) => printLine({ event: eventOf(row) })).join(""));
    events += rows.length;
  }
  await file.appendFile(checkpoints.map((checkpoint) => printLine({ checkpoint })).join(""));
  return events;
}

async function hashBefore(db: SqlReader, from: number): Promise<string> {
  const before = await db
    .selectFrom("ledger_events")
    .select("hash")
    .where("workspace_id", "=", db.workspaceId)
    .where("seq", "=", from - 1)
    .executeTakeFirst();
  return before?.hash ?? genesisHash;
}

async function writeStreamed(
  { out, replace }: Pick<ExportOptions, "out" | "replace">,
  work: (file: FileHandle) => Promise<void>,
): Promise<void> {
  await storing(basename(out), async () => {
    // Beside the target: a rename across disks would be a copy.
    const folder = await mkdtemp(join(dirname(out), ".writ-export-"));
    const temporary = join(folder, basename(out));
    const file = await open(temporary, "wx");
    try {
      await work(file);
      await file.sync();
      if (replace) await rename(temporary, out);
      else await link(temporary, out);
      await syncFolder(dirname(out));
    } catch (error) {
      throw errnoOf(error) === "EEXIST" ? exists(basename(out)) : error;
    } finally {
      await file.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
}

function exists(name: string): Error {
  return fail("E_EXISTS", {
    message: `${name} exists, and an export overwrites nothing.`,
    cause: "A file is there already.",
    remediation: "Name another file: writ ledger export --out ledger-2.jsonl",
  });
}
