import { join } from "node:path";
import type { FileStore, OwedEvent } from "../../contract/index.ts";
import {
  lstatOrNull,
  makeFolder,
  readOrNull,
  requireNoLinks,
  storing,
  writeAtomic,
} from "../../platform/index.ts";
import { sha256 } from "../swap/hashes.ts";
import { manifestFile } from "../declare/file-names.ts";

const recordFile = ".writ/workspace/init.json";
const maxBytes = 1024 * 1024;

/** The act that made this workspace, and whether its event stands in the ledger. */
interface InitRecord {
  /** `begun`: the file may not be there yet; `made`: it is, and the event is owed; `settled`: nothing is owed. */
  state: "begun" | "made" | "settled";
  /** Hash of the workspace.yml that the act writes. */
  manifest: string;
  event: OwedEvent;
}

/** Notes the act before, or together with, the file it makes. */
export async function noteInit(
  root: string,
  state: "begun" | "made",
  made: { text: string; event: OwedEvent },
): Promise<void> {
  await write(root, { state, manifest: sha256(made.text), event: made.event });
}

async function write(root: string, record: InitRecord): Promise<void> {
  await requireNoLinks(root, recordFile);
  await storing(recordFile, async () => {
    await makeFolder(join(root, ".writ", "workspace"));
    await writeAtomic(join(root, recordFile), `${JSON.stringify(record)}\n`);
  });
}

async function read(root: string): Promise<InitRecord | undefined> {
  const bytes = await storing(recordFile, () => readOrNull(join(root, recordFile), { maxBytes }));
  if (!bytes) return undefined;
  try {
    const record = JSON.parse(bytes.toString("utf8")) as InitRecord;
    return typeof record.event?.act === "string" ? record : undefined;
  } catch {
    // Written whole or not at all, so this is not ours; a workspace is not lost for it.
    return undefined;
  }
}

/** Whether the act came as far as its file; a record alone proves nothing, since it is written first. */
async function isMade(root: string, record: InitRecord): Promise<boolean> {
  if (record.state !== "begun") return (await lstatOrNull(join(root, manifestFile))) !== null;
  const bytes = await readOrNull(join(root, manifestFile), { maxBytes });
  return bytes !== null && sha256(bytes) === record.manifest;
}

/** What init has made in a folder; its record is the owed event. */
export const initFiles: FileStore = {
  name: "init",
  async owed(root) {
    const record = await read(root);
    if (!record || record.state === "settled" || !(await isMade(root, record))) return [];
    return [record.event];
  },
  async find(root, act) {
    const record = await read(root);
    return record?.event.act === act && (await isMade(root, record));
  },
  async settled(root, act) {
    const record = await read(root);
    if (record?.event.act === act) await write(root, { ...record, state: "settled" });
  },
};
