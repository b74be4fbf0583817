import { fail } from "../contract/index.ts";
import type { Git } from "./git.ts";

/** One entry of a commit's tree; folders themselves are not listed. */
export interface TreeEntry {
  /** Decoded leniently; see `utf8`. */
  path: string;
  /** False when the path's bytes are no UTF-8, so that `path` is not what git holds. */
  utf8: boolean;
  /** "100644", "100755", "120000" (link), "160000" (submodule). */
  mode: string;
  oid: string;
  /** Bytes of the blob; 0 for a submodule. */
  size: number;
}

/** The bytes of one blob. */
export interface Blob {
  oid: string;
  bytes: Buffer;
}

const DEFAULT_BLOB_BYTES = 5 * 1024 * 1024;

/** Lists the files of a commit, or of some of its top folders, in the order git holds them. */
export async function lsTree(
  git: Git,
  { gitDir, commit, under = [] }: { gitDir: string; commit: string; under?: readonly string[] },
): Promise<TreeEntry[]> {
  const listed = await git.ok(
    ["ls-tree", "-r", "-z", "-l", "--full-tree", "--end-of-options", `${commit}^{commit}`, ...under],
    {
      gitDir,
    },
  );
  const entries: TreeEntry[] = [];
  for (let from = 0; from < listed.length; ) {
    const end = listed.indexOf(0, from);
    entries.push(entryOf(listed.subarray(from, end < 0 ? listed.length : end)));
    from = end < 0 ? listed.length : end + 1;
  }
  return entries;
}

function entryOf(record: Buffer): TreeEntry {
  const tab = record.indexOf(9);
  const [mode = "", , oid = "", size = "-"] = record.subarray(0, tab).toString("latin1").split(/ +/);
  const raw = record.subarray(tab + 1);
  const path = raw.toString("utf8");
  return {
    path,
    utf8: Buffer.from(path, "utf8").equals(raw),
    mode,
    oid,
    size: size === "-" ? 0 : Number(size),
  };
}

/**
 * Reads blobs one after another from one git process, in the order asked; the next is read only when it is
 * asked for, so that never more than one is held. A larger one than `maxBytes` is E_LIMIT, a missing one E_INTEGRITY.
 */
export async function* catFileBatch(
  git: Git,
  {
    gitDir,
    oids,
    maxBytes = DEFAULT_BLOB_BYTES,
    alternates,
  }: {
    gitDir: string;
    oids: readonly string[];
    maxBytes?: number;
    /** Object folders of other repositories that hold some of them. */
    alternates?: readonly string[];
  },
): AsyncGenerator<Blob> {
  if (oids.length === 0) return;
  const running = await git.start(["cat-file", "--batch", "--buffer"], {
    gitDir,
    ...(alternates && { alternates }),
    input: Buffer.from(`${oids.join("\n")}\n`),
  });
  const ended = running.ended.catch(() => undefined);
  const reader = createReader(running.child.stdout as AsyncIterable<Buffer>);
  try {
    for (const oid of oids) {
      running.touch();
      const head = await reader.line();
      const [, kind, size] = /^\S+ (\w+)(?: (\d+))?$/.exec(head ?? "") ?? [];
      if (kind !== "blob" || size === undefined) throw damaged(oid);
      if (Number(size) > maxBytes) throw tooLarge(maxBytes, Number(size));
      const bytes = await reader.take(Number(size) + 1);
      if (!bytes) throw damaged(oid);
      yield { oid, bytes: bytes.subarray(0, Number(size)) };
    }
  } finally {
    running.stop("abort");
    running.child.stdout?.destroy();
    await ended;
  }
}

/** What git answers, a line or a number of bytes at a time; undefined where it has ended. */
export interface Reader {
  line(): Promise<string | undefined>;
  take(bytes: number): Promise<Buffer | undefined>;
}

export function createReader(stream: AsyncIterable<Buffer>): Reader {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const more = async (): Promise<Buffer | undefined> => {
    // A stream that was destroyed under the reader has ended, as far as the reader is concerned.
    const next = await chunks.next().catch(() => ({ done: true as const, value: undefined }));
    return next.done ? undefined : next.value;
  };
  return {
    async line() {
      for (;;) {
        const end = rest.indexOf(10);
        if (end >= 0) {
          const line = rest.subarray(0, end).toString("latin1");
          rest = rest.subarray(end + 1);
          return line;
        }
        const chunk = await more();
        if (!chunk) return undefined;
        rest = Buffer.concat([rest, chunk]);
      }
    },
    async take(bytes) {
      const parts = [rest];
      let size = rest.length;
      while (size < bytes) {
        const chunk = await more();
        if (!chunk) return undefined;
        parts.push(chunk);
        size += chunk.length;
      }
      const all = parts.length === 1 ? rest : Buffer.concat(parts);
      rest = all.subarray(bytes);
      return all.subarray(0, bytes);
    },
  };
}

function damaged(oid: string) {
  return fail("E_INTEGRITY", {
    message: "A cached repository is damaged.",
    cause: `The object ${oid.slice(0, 12)} is missing or unreadable.`,
    remediation: "Remove it and fetch again: writ cache prune --all",
    details: { object: oid },
  });
}

function tooLarge(limit: number, found: number) {
  return fail("E_LIMIT", {
    message: `A file of a repository is too large: ${found} bytes.`,
    cause: `At most ${limit} bytes of one file are read.`,
    remediation: "Make the file smaller upstream, or leave its source out.",
    details: { limit, found },
  });
}
