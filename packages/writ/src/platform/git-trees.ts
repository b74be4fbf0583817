import type { Git } from "./git.ts";
import { createReader, type TreeEntry } from "./git-objects.ts";

/** Commits of repositories whose ids are of one kind. */
export interface CommitsTogether {
  gitDir: string;
  /** The object folders of the other repositories. */
  alternates: readonly string[];
  commits: readonly string[];
  /** Names of the top folders and files that are listed; all when none are given. */
  under: readonly string[];
}

interface Folder {
  /** Its path and a slash. As in all of this file, a character stands for a byte. */
  prefix: string;
  entries: (Listed | Folder)[];
}

interface Listed {
  raw: string;
  mode: string;
  oid: string;
}

// As many as a folder may have that is no repository; a few small trees can be made to name any number.
const maxEntries = 200_000;
const maxTreeBytes = 64 * 1024 * 1024;
const maxDepth = 100;

/**
 * Lists the files of several commits as `lsTree` lists those of each, with two processes for all: to start one takes
 * longer than to list a stack. Throws for whatever is unusual; what is wrong, and with which, `lsTree` says.
 */
export async function lsTrees(git: Git, at: CommitsTogether): Promise<TreeEntry[][]> {
  const { gitDir, alternates, commits } = at;
  const roots = await readTrees(git, at);
  const listed = roots.map((root) => [...filesOf(root)]);
  const blobs = listed.flat().filter(({ mode }) => mode !== "160000");
  if (blobs.length === 0) return commits.map((_, i) => listed[i]?.map((file) => entryOf(file, 0)) ?? []);
  const input = `${blobs.map(({ oid }) => oid).join("\n")}\n`;
  const told = await git.ok(["cat-file", "--batch-check", "--buffer"], { gitDir, alternates, input });
  const lines = told.toString("latin1").split("\n");
  let next = 0;
  const sizeOf = ({ oid, mode }: Listed): number => {
    if (mode === "160000") return 0;
    const [found, kind, size] = (lines[next++] ?? "").split(" ");
    if (found !== oid || kind !== "blob") throw new Error(`${oid} is no blob`);
    return Number(size);
  };
  return listed.map((files) => files.map((file) => entryOf(file, sizeOf(file))));
}

/** Reads the trees of all commits, level by level: each level is asked for at once. */
async function readTrees(
  git: Git,
  { gitDir, alternates, commits, under }: CommitsTogether,
): Promise<Folder[]> {
  const running = await git.start(["cat-file", "--batch"], { gitDir, alternates, asks: true });
  const ended = running.ended.catch(() => undefined);
  const reader = createReader(running.child.stdout as AsyncIterable<Buffer>);
  const take = async (): Promise<{ bytes: Buffer; idBytes: number }> => {
    running.touch();
    const [, oid = "", size] = /^([0-9a-f]+) tree (\d+)$/.exec((await reader.line()) ?? "") ?? [];
    const bytes = Number(size) <= maxTreeBytes ? await reader.take(Number(size) + 1) : undefined;
    if (!bytes) throw new Error("a tree is missing or too large");
    return { bytes: bytes.subarray(0, -1), idBytes: oid.length / 2 };
  };
  const wanted = new Set(under);
  const roots = commits.map((commit) => ({ name: `${commit}^{commit}^{tree}`, prefix: "", entries: [] }));
  let count = 0;
  try {
    let level: (Folder & { name: string })[] = roots;
    for (let depth = 0; level.length > 0; depth++) {
      if (depth > maxDepth) throw new Error("too deep a tree");
      running.child.stdin?.write(`${level.map(({ name }) => name).join("\n")}\n`);
      const below: typeof level = [];
      for (const folder of level) {
        for (const { mode, name, oid } of parseTree(await take())) {
          if (folder.prefix === "" && wanted.size > 0 && !wanted.has(name)) continue;
          if (++count > maxEntries) throw new Error("too many files");
          const raw = `${folder.prefix}${name}`;
          const child = mode === "040000" ? { name: oid, prefix: `${raw}/`, entries: [] } : undefined;
          folder.entries.push(child ?? { raw, mode, oid });
          if (child) below.push(child);
        }
      }
      level = below;
    }
    return roots;
  } finally {
    running.stop("abort");
    running.child.stdout?.destroy();
    await ended;
  }
}

function* parseTree({ bytes, idBytes }: { bytes: Buffer; idBytes: number }) {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0, from);
    const [, mode, name] =
      /^([0-7]{5,6}) (.+)$/s.exec(bytes.toString("latin1", from, Math.max(from, end))) ?? [];
    const next = end + 1 + idBytes;
    if (mode === undefined || name === undefined || next > bytes.length) throw new Error("a malformed tree");
    yield { mode: plainMode(Number.parseInt(mode, 8)), name, oid: bytes.toString("hex", end + 1, next) };
    from = next;
  }
}

/** The few modes that git knows, whatever stands in a tree. */
function plainMode(mode: number): string {
  const kind = mode & 0o170000;
  if (kind === 0o100000) return mode & 0o100 ? "100755" : "100644";
  if (kind === 0o120000) return "120000";
  return kind === 0o040000 ? "040000" : "160000";
}

/** The files below a folder, in the order in which git holds them. */
function* filesOf({ entries }: Folder): Generator<Listed> {
  for (const entry of entries) {
    if ("raw" in entry) yield entry;
    else yield* filesOf(entry);
  }
}

function entryOf({ raw, mode, oid }: Listed, size: number): TreeEntry {
  const bytes = Buffer.from(raw, "latin1");
  const path = bytes.toString("utf8");
  return { path, utf8: Buffer.from(path, "utf8").equals(bytes), mode, oid, size };
}
