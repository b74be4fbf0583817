import type { Bound } from "../store/index.ts";
import type { Checkpoint, Witness } from "./checkpoint.ts";
import { readWitness } from "./checkpoint-file.ts";
import { keyIdOf } from "./ledger-key.ts";

/**
 * What this installation knows by itself of a workspace's chain: the checkpoints it made of this very store,
 * and the keys it ever made any with. A copy of the workspace has the same id and goes on by itself, so that
 * what was seen of the one says nothing of the other.
 */
export async function witnessOf(
  witness: Pick<Witness, "folder">,
  store: Pick<Bound, "workspaceId" | "place">,
): Promise<{ witnessed: Checkpoint[]; keys: Map<string, string> }> {
  const lines = await readWitness(witness.folder, store.workspaceId);
  const keys = new Map(lines.map(({ public_key }) => [keyIdOf(public_key), public_key]));
  const ofThisStore = ({ place }: { place?: string }) => place === undefined || place === store.place;
  return { witnessed: lines.filter(ofThisStore), keys };
}
