import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readOrNull } from "../../platform/index.ts";
import type { FetchInto } from "./cache-fetch.ts";
import { watchSize } from "./cache-size.ts";
import { parseRemoteRefs, type RemoteRefs } from "./remote-refs.ts";

// Words of git, in one line each as one would type them.
const words = (text: string): string[] => text.split(" ");

const cloneArguments = [
  ...words(
    "-c init.defaultRefFormat=files -c init.defaultBranch=writ-none -c core.bigFileThreshold=16m -c fetch.unpackLimit=1",
  ),
  ...words("clone --bare --quiet --template= --no-recurse-submodules --end-of-options"),
];

/**
 * Makes a repository of all branches and tags in one question to the remote: asking first and fetching then would
 * be two connections, and four processes more. A failure leaves the folder empty.
 */
export async function cloneInto(gitDir: string, fetch: FetchInto): Promise<RemoteRefs> {
  const { git, source, limits, protocol } = fetch;
  const watch = watchSize(gitDir, { ...limits, source: source.label });
  const signal = fetch.signal ? AbortSignal.any([fetch.signal, watch.signal]) : watch.signal;
  try {
    const args = [...cloneArguments, source.url, gitDir];
    await git.remote(args, { network: source, writes: true, signal, protocol });
    await watch.check();
  } finally {
    watch.end();
  }
  const refs = parseRemoteRefs(await clonedRefs(gitDir, fetch), source.label);
  await forgetOrigin(gitDir);
  return refs;
}

/** The refs that a clone brought, in the form of `ls-remote --symref`. */
async function clonedRefs(gitDir: string, { git, source }: FetchInto): Promise<string> {
  const head = (await readFile(join(gitDir, "HEAD"), "utf8")).trim();
  const isLoose = (await readdir(join(gitDir, "refs", "heads")).catch(() => [])).length > 0;
  // Git packs the refs of a clone; should it ever write them one by one, it is asked.
  const rows = isLoose
    ? (await git.ok(["show-ref", "--dereference"], { gitDir }))
        .toString("utf8")
        .replaceAll(/^(\S+) /gm, "$1\t")
    : packedRows((await readOrNull(join(gitDir, "packed-refs"), { label: source.label }))?.toString("utf8"));
  return `${head}\tHEAD\n${rows}`;
}

function packedRows(text = ""): string {
  let name = "";
  const rows = text.split("\n").map((line) => {
    if (line.startsWith("^")) return `${line.slice(1)}\t${name}^{}`;
    const [oid = ""] = line.split(" ", 1);
    name = line.slice(oid.length + 1);
    return `${oid}\t${name}`;
  });
  return rows.join("\n");
}

/** What git writes down of where it cloned from: the cache asks by URL, and says itself which refs it has. */
async function forgetOrigin(gitDir: string): Promise<void> {
  const config = join(gitDir, "config");
  const text = await readFile(config, "utf8");
  await writeFile(config, text.replace(/^\[remote "origin"\]\n(?:\t.*\n)*/m, ""));
  await writeFile(join(gitDir, "HEAD"), "ref: refs/heads/writ-none\n");
  await rm(join(gitDir, "packed-refs"), { force: true });
}
