import { join } from "node:path";
import { inParallel, readOrNull, readRemotes } from "../../platform/index.ts";
import { composeFormat, type Applied } from "../swap/applied.ts";
import { maxContextBytes } from "../compose/context-bytes.ts";
import { regionHash } from "../compose/context-file.ts";
import { scan } from "../swap/disk-scan.ts";
import { hashOf, type OnDisk } from "../swap/disk.ts";
import { equalButForLineEndings } from "../swap/hashes.ts";
import { wantsIgnore } from "../repos/enclosing-repo.ts";
import type { Gathering } from "../gather/gathering.ts";
import { inputsHash, type Inputs } from "../gather/inputs.ts";
import { parseMarkers } from "../compose/markers.ts";
import { notesHash } from "../compose/notes.ts";
import type { RunRequest } from "../gather/request.ts";
import { choosesAnything } from "../changeset/settle.ts";
import { identityOf, identityOfRemote, parseRepoText } from "../declare/sources.ts";

/**
 * True when everything is as the last run left it: then no git is run, nobody is asked, and nothing is
 * composed. Every doubt means false; the long way is always right.
 */
export async function isUpToDate({ root, inputs, request, sources }: Gathering): Promise<boolean> {
  if (asksForWork(request) || (inputs.upgraded && !request.frozen)) return false;
  const { applied, recordedNs } = inputs.applied;
  if (!applied || applied.format !== composeFormat || applied.conflicts.length > 0) return false;
  if (applied.inputs !== inputsHash(inputs.manifestHash, inputs.lockHash)) return false;
  if ((inputs.manifest.privateOverlay !== undefined) !== (applied.overlay !== undefined)) return false;
  // A folder without git has no commit that could stand still.
  if (!inputs.lock || inputs.lock.stacks.some(({ commit }) => commit === undefined)) return false;
  const hasBlock = applied.files.some(({ kind }) => kind === "block");
  if (hasBlock !== (await wantsIgnore(root, inputs.manifest.workspaceRepo.enabled))) return false;
  const checks = [
    filesAreClean(root, applied, recordedNs),
    regionsAreClean(root, applied),
    reposArePresent(root, inputs, sources.base),
  ];
  return (await Promise.all(checks)).every(Boolean);
}

function asksForWork(request: RunRequest): boolean {
  const { update, stacks, choices, prune, repos } = request;
  return update || stacks.length > 0 || choosesAnything(choices) || prune || !repos;
}

async function filesAreClean(root: string, applied: Applied, recordedNs: bigint): Promise<boolean> {
  const recorded = new Map(applied.files.map((file) => [file.path, file]));
  const found = await scan({ root, recorded, recordedNs }, [...recorded.keys()], new Set(recorded.keys()));
  return applied.files.every(({ path, sha256 }) => isClean(found.get(path), sha256));
}

function isClean(found: OnDisk | undefined, hash: string): boolean {
  if (!found) return false;
  if (hashOf(found) === hash) return true;
  return found.kind === "file" && found.bytes !== undefined && equalButForLineEndings(found.bytes, hash);
}

async function regionsAreClean(root: string, applied: Applied): Promise<boolean> {
  const checks = await inParallel(applied.regions, 16, async ({ path, generated, editable }) => {
    const bytes = await readOrNull(join(root, path), maxContextBytes).catch(() => null);
    if (!bytes) return false;
    const parsed = parseMarkers(bytes);
    if (parsed.state !== "valid" || regionHash(bytes, parsed.generated) !== generated) return false;
    if (!parsed.editable) return editable === "";
    return regionHash(bytes, parsed.editable) === (editable === "" ? notesHash(Buffer.alloc(0)) : editable);
  });
  return checks.every(Boolean);
}

/** Each locked repository is there, and is the one that is declared. */
async function reposArePresent(root: string, { lock }: Inputs, base: string): Promise<boolean> {
  const found = await inParallel(lock?.repos ?? [], 16, async ({ path, repo }) => {
    const source = parseRepoText(repo).value;
    const remotes = await readRemotes(join(root, path));
    return source && remotes?.some(({ url }) => identityOfRemote(url) === identityOf(source, base));
  });
  return found.every(Boolean);
}
