import type { Checkpoint, Witness } from "./checkpoint.ts";
import { readWitness } from "./checkpoint-file.ts";
import { keyIdOf } from "./ledger-key.ts";

/** What this installation knows by itself of a workspace's chain: its checkpoints, and the keys that made them. */
export async function witnessOf(
  witness: Pick<Witness, "folder">,
  workspace: string,
): Promise<{ witnessed: Checkpoint[]; keys: Map<string, string> }> {
  const lines = await readWitness(witness.folder, workspace);
  const keys = new Map(lines.map(({ public_key }) => [keyIdOf(public_key), public_key]));
  const witnessed = lines.map(({ workspace, seq, hash, at, key_id, signature }) => ({
    workspace,
    seq,
    hash,
    at,
    key_id,
    signature,
  }));
  return { witnessed, keys };
}
