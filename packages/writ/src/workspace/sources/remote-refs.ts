import { fail } from "../../contract/index.ts";
import { compareBytes } from "../../platform/index.ts";
import { refFault } from "../declare/refs.ts";

/** The branches and tags of a repository at one moment. */
export interface RemoteRefs {
  /** Full name of the branch HEAD points to. */
  head?: string;
  /** Full name -> commit; an annotated tag stands for the commit it leads to. */
  refs: Map<string, string>;
  /** Full name -> the object the ref itself holds, where that is not the commit. */
  tagObjects: Map<string, string>;
}

const MAX_REFS = 50_000;

/** Reads what `ls-remote --symref` printed; refs that git's own rules refuse are left out. */
export function parseRemoteRefs(text: string, source: string): RemoteRefs {
  const found: RemoteRefs = { refs: new Map(), tagObjects: new Map() };
  let headCommit: string | undefined;
  let count = 0;
  for (const line of text.split("\n")) {
    const [left = "", name = ""] = line.split("\t");
    if (left.startsWith("ref: ") && name === "HEAD") found.head = left.slice("ref: ".length);
    if (!/^[0-9a-f]{40,64}$/.test(left)) continue;
    if (++count > MAX_REFS) throw tooMany(source, count);
    if (name === "HEAD") headCommit = left;
    else addRef(found, name, left);
  }
  if (found.head && !found.refs.has(found.head)) delete found.head;
  found.head ??= branchAt(found.refs, headCommit);
  return found;
}

function addRef(found: RemoteRefs, name: string, oid: string): void {
  const peeled = name.endsWith("^{}");
  const ref = peeled ? name.slice(0, -3) : name;
  const short = /^refs\/(?:heads|tags)\/(.+)$/.exec(ref)?.[1];
  if (short === undefined || refFault(short) !== undefined) return;
  const own = found.refs.get(ref);
  if (peeled && own !== undefined) found.tagObjects.set(ref, own);
  found.refs.set(ref, oid);
}

// Old servers and plain file servers do not say what HEAD points to, only which commit it is.
function branchAt(refs: RemoteRefs["refs"], commit: string | undefined): string | undefined {
  if (commit === undefined) return undefined;
  const there = [...refs]
    .filter(([name, oid]) => oid === commit && name.startsWith("refs/heads/"))
    .map(([name]) => name);
  return (
    ["refs/heads/main", "refs/heads/master"].find((usual) => there.includes(usual)) ??
    there.sort(compareBytes)[0]
  );
}

/** The object each ref holds, as git stores it. */
export function objectsOf(remote: RemoteRefs): Map<string, string> {
  return new Map([...remote.refs].map(([name, commit]) => [name, remote.tagObjects.get(name) ?? commit]));
}

/** The refs as the cache keeps them beside the repository, with the packs that hold all they lead to. */
export function printRefs(url: string, remote: RemoteRefs, packs: readonly string[] = []): string {
  const refs = [...remote.refs].sort(([a], [b]) => compareBytes(a, b));
  const rows = refs.map(([name, commit]) => [
    name,
    commit,
    ...(remote.tagObjects.has(name) ? [remote.tagObjects.get(name)] : []),
  ]);
  return `${JSON.stringify({ url, ...(remote.head && { head: remote.head }), refs: rows, packs })}\n`;
}

/** What a cached repository saw last. */
export interface StoredRefs extends RemoteRefs {
  url: string;
  packs: string[];
}

interface Kept {
  url: string;
  head?: string;
  refs: [string, string, string?][];
  packs?: string[];
}

/** Reads what {@link printRefs} wrote; anything else counts as nothing seen. */
export function parseRefs(text: string): StoredRefs | null {
  try {
    const kept = JSON.parse(text) as Kept;
    const tagged = kept.refs.flatMap(([name, , tag]) => (tag === undefined ? [] : [[name, tag] as const]));
    return {
      url: kept.url,
      ...(kept.head && { head: kept.head }),
      refs: new Map(kept.refs.map(([name, commit]) => [name, commit])),
      tagObjects: new Map(tagged),
      packs: kept.packs ?? [],
    };
  } catch {
    return null;
  }
}

/**
 * The `packed-refs` file of the mirror. It is written whole and renamed into place, which moves all refs at
 * once, never conflicts (a branch `a` replaced by `a/b`), and leaves no lock file behind when a process dies.
 */
export function printPackedRefs(remote: RemoteRefs, keep: readonly string[]): string {
  const mirrored = [...remote.refs].map(([name, commit]) => {
    const tag = remote.tagObjects.get(name);
    return { name, lines: tag === undefined ? `${commit} ${name}\n` : `${tag} ${name}\n^${commit}\n` };
  });
  const others = keep.map((lines) => ({
    name: lines.slice(lines.indexOf(" ") + 1, lines.indexOf("\n")),
    lines,
  }));
  const all = [...mirrored, ...others].sort((a, b) => compareBytes(a.name, b.name));
  return `# pack-refs with: peeled fully-peeled sorted \n${all.map(({ lines }) => lines).join("")}`;
}

/** The entries of a `packed-refs` file that are no mirrored branch or tag, such as a promotion's. */
export function otherPackedRefs(text: string): string[] {
  const entries: string[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("^") && entries.length > 0) entries[entries.length - 1] += `${line}\n`;
    else if (/^[0-9a-f]{40,64} refs\//.test(line)) entries.push(`${line}\n`);
  }
  return entries.filter((entry) => !/^[0-9a-f]+ refs\/(heads|tags)\//.test(entry));
}

function tooMany(source: string, found: number) {
  return fail("E_LIMIT", {
    message: `${source} has more than ${MAX_REFS} branches and tags.`,
    cause: "The number of refs that Writ reads from a repository is bounded.",
    remediation: "Delete old branches and tags there, or leave the source out.",
    details: { limit: MAX_REFS, found, source },
  });
}
