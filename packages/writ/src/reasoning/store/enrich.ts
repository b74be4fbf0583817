import { realpath } from "node:fs/promises";
import { isAbsolute, join, posix, relative, sep } from "node:path";
import { fail, parseReference, type WritError } from "../../contract/index.ts";
import { hashFile, lstatOrNull } from "../../platform/index.ts";
import type { CallerBody } from "../model/bodies.ts";
import type { Evidence } from "../model/record.ts";
import { openGit } from "../reuse/checkout.ts";
import type { Room } from "../settings/room.ts";
import type { RecordIndex } from "./record-index.ts";

type Item = Extract<CallerBody, { kind: "assessment" }>["evidence"][number];

/** Looks where each reference leads: files, commits, records and what other parts of Writ own. */
export async function enrichEvidence(
  items: readonly Item[],
  { room, index }: { room: Room; index: RecordIndex },
): Promise<Evidence[]> {
  const found: Evidence[] = [];
  for (const item of items) {
    const evidence = await enrich(item, { room, index });
    if (evidence.resolved === false) {
      room.ctx.warn({
        code: "W_EVIDENCE_UNRESOLVED",
        message: `The evidence ${evidence.kind}: ${evidence.reference.slice(0, 120)} leads nowhere.`,
        remediation: "Correct it, or leave it: it is kept and marked.",
      });
    }
    found.push(evidence);
  }
  return found;
}

async function enrich(item: Item, { room, index }: { room: Room; index: RecordIndex }): Promise<Evidence> {
  switch (item.kind) {
    case "file":
      return { ...item, ...(await lookAtFile(room.root, item.reference)) };
    case "commit":
      return { ...item, ...(await lookAtCommit(room, item.reference)) };
    case "record":
      return { ...item, resolved: index.find(item.reference.replace(/^record:/, "")) !== undefined };
    case "document":
      return { ...item, ...(await lookAtReference(room, item.reference)) };
    case "test":
    case "adr":
    case "rule":
    case "command":
    case "runtime":
    case "prior_external_opinion":
      return item;
  }
}

async function lookAtFile(root: string, reference: string): Promise<Partial<Evidence>> {
  const path = posix.normalize(reference.replace(/^file:/, "").replaceAll("\\", "/"));
  if (isAbsolute(path) || path === ".." || path.startsWith("../") || path.includes("\0"))
    throw unsafe(reference);
  const whole = join(root, path);
  if (!(await lstatOrNull(whole).catch(() => null))) return { resolved: false };
  const real = await realpath(whole).catch(() => undefined);
  if (real === undefined) return { resolved: false };
  const below = relative(await realpath(root), real);
  if (below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below)) throw unsafe(reference);
  const sha256 = await hashFile(whole).catch(() => undefined);
  return { reference: path, resolved: true, ...(sha256 !== undefined && { sha256 }) };
}

function unsafe(reference: string): WritError {
  return fail("E_UNSAFE_PATH", {
    message: `The evidence ${JSON.stringify(reference.slice(0, 120))} leads out of the workspace.`,
    cause: "Evidence of kind file names a file of the workspace, and no link out of it.",
    remediation: "Name a path below the workspace, or cite it as kind: document.",
    details: { path: reference.slice(0, 200) },
  });
}

async function lookAtCommit(room: Room, reference: string): Promise<Partial<Evidence>> {
  if (!/^[A-Za-z0-9][\w./-]{0,199}$/.test(reference)) return { resolved: false };
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${reference}^{commit}`];
  const git = openGit(room);
  const found = await git.run(args, { gitDir: join(room.root, ".git") }).catch(() => undefined);
  const commit = found?.code === 0 ? found.stdout.toString().trim() : "";
  return /^[0-9a-f]{40,64}$/.test(commit) ? { resolved: true, commit } : { resolved: false };
}

/** What another part of Writ owns is resolved as that part says; a title or address is left as it is. */
async function lookAtReference(room: Room, reference: string): Promise<Partial<Evidence>> {
  const read = parseReference(reference);
  if ("fault" in read || read.reference.kind === "file") return {};
  const { kind } = read.reference;
  const owner = (await room.ctx.registered.references()).find((one) => one.kind === kind);
  if (!owner) return { resolved: false };
  const name = reference.slice(kind.length + 1);
  const resolved = await owner.resolve(room.ctx, name).then(
    () => true,
    () => false,
  );
  return { resolved };
}
