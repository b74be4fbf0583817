import { readOrNull, writeAtomic } from "../../platform/index.ts";
import { at, toldFile } from "./paths.ts";

/** The newest record that the ledger names; it names every one before it, too. */
export interface Told {
  seq: number;
  /** Of the bytes of that record; what an older version wrote has none. */
  digest?: string;
}

/** What was written last of how far the ledger is told; undefined when nobody knows. */
export async function readTold(root: string): Promise<Told | undefined> {
  try {
    const bytes = await readOrNull(at(root, toldFile), 1024);
    const { seq, digest } = JSON.parse(bytes?.toString("utf8") ?? "") as { seq?: unknown; digest?: unknown };
    if (typeof seq !== "number" || !Number.isSafeInteger(seq)) return undefined;
    return { seq, ...(typeof digest === "string" && { digest }) };
  } catch {
    return undefined;
  }
}

/** Written after the ledger was: one that is lost is found out again from the ledger. */
export async function writeTold(root: string, told: Told): Promise<void> {
  await writeAtomic(at(root, toldFile), `${JSON.stringify(told)}\n`, { mode: 0o600, sync: false });
}
