import { join } from "node:path";
import { commonDirOf, gitDirOf } from "./git-folders.ts";
import { readOrNull } from "./read-file.ts";

const maxConfigBytes = 1024 * 1024;

/** One remote of a repository, as its own configuration has it: without the user's rewriting rules. */
export interface Remote {
  name: string;
  url: string;
}

/** The remotes of a repository, without running git; undefined where the configuration is not written as git writes it. */
export async function readRemotes(folder: string): Promise<Remote[] | undefined> {
  try {
    const config = join(await commonDirOf(await gitDirOf(folder)), "config");
    return parseRemotes((await readOrNull(config, maxConfigBytes))?.toString("utf8") ?? "");
  } catch {
    return undefined;
  }
}

function parseRemotes(config: string): Remote[] | undefined {
  const remotes: Remote[] = [];
  let name: string | undefined;
  for (const line of config.split("\n")) {
    if (line.endsWith("\\")) return undefined;
    if (/^\s*\[/.test(line)) {
      name = /^\[remote "([^"\\]+)"\]\s*$/.exec(line)?.[1];
      if (name === undefined && (/remote/i.test(line) || /\][^\]]*\S[^\]]*$/.test(line))) return undefined;
    }
    const url = name === undefined ? undefined : /^\s*url\s*=\s*(.*?)\s*$/i.exec(line)?.[1];
    if (url !== undefined && /["\\;#]/.test(url)) return undefined;
    if (url !== undefined && name !== undefined) remotes.push({ name, url });
  }
  return remotes;
}
