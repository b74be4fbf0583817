import { type Context, fail } from "../../contract/index.ts";
import { lstatOrNull, quote, type Git } from "../../platform/index.ts";
import { observeChangeset, type Observed } from "../run/observe-changeset.ts";
import { labelsOf, parseRepoText, urlOf } from "../declare/sources.ts";
import { notFound } from "./not-found.ts";

/** A commit of a stack, as the cache has it. */
export interface CommitExplained {
  stack: string;
  repo: string | null;
  commit: string;
  subject: string;
  author: string;
  committed_at: string;
  /** Whether the lock pins it. */
  locked: boolean;
  /** How many files of this checkout were composed from it. */
  composed_files: number;
  next: string[];
}

/** Explains a commit of a stack; only what the cache holds is known, since no remote is asked. */
export async function explainCommit(ctx: Context, name: string): Promise<CommitExplained> {
  const at = name.lastIndexOf("@");
  const [stack, hex] = [name.slice(0, at), name.slice(at + 1)];
  const seen = await observeChangeset(ctx, { command: "writ explain" });
  const locked = seen.inputs.lock?.stacks.find(({ id }) => id === stack);
  const gitDir = await gitDirOf(seen, stack);
  if (gitDir === undefined) throw unknownStack(seen, { stack, name });
  const commit = (await lstatOrNull(gitDir)) ? await readCommit(seen.sources.git, gitDir, hex) : undefined;
  if (!commit) throw unknownCommit({ stack, hex, known: locked?.commit });
  const files = seen.inputs.applied.applied?.files ?? [];
  return {
    stack,
    repo: locked?.repo ?? null,
    ...commit,
    locked: locked?.commit === commit.commit,
    composed_files: files.filter((file) => file.stack === stack && file.commit === commit.commit).length,
    next: [`writ explain ${quote(`stack:${stack}`)}`],
  };
}

async function gitDirOf(
  { changeset, inputs, sources }: Observed,
  label: string,
): Promise<string | undefined> {
  const read = changeset?.stacks.find(({ stack }) => stack.label === label);
  if (read) return read.stack.answer.gitDir;
  const repo = inputs.lock?.stacks.find(({ id }) => id === label)?.repo;
  const source = repo === undefined ? undefined : parseRepoText(repo).value;
  return source && source.kind !== "path" ? sources.cache.gitDir(urlOf(source, sources.base)) : undefined;
}

async function readCommit(git: Git, gitDir: string, hex: string) {
  const format = "--format=%H%x00%s%x00%an%x00%cI";
  const told = await git.run(["log", "-1", "--no-decorate", format, `${hex}^{commit}`, "--"], { gitDir });
  const [commit = "", subject = "", author = "", at = ""] = told.stdout
    .toString("utf8")
    .trimEnd()
    .split("\0");
  if (told.code !== 0 || commit === "") return undefined;
  return { commit, subject, author, committed_at: new Date(at).toISOString() };
}

function unknownStack({ inputs }: Observed, { stack, name }: { stack: string; name: string }) {
  const labels = labelsOf(inputs.manifest.stacks.map(({ source }) => source));
  return notFound("commit", name, {
    known: [],
    cause: `No stack "${stack}" with a repository is here; there are ${labels.join(", ") || "none"}.`,
  });
}

function unknownCommit({ stack, hex, known }: { stack: string; hex: string; known: string | undefined }) {
  return fail("E_NOT_FOUND", {
    message: `The stack ${stack} has no commit ${hex} here.`,
    cause: "The cache holds none, or several that begin so; no remote is asked.",
    remediation:
      known === undefined
        ? "Fetch it: writ bootstrap"
        : `The lock's is: writ explain ${quote(`commit:${stack}@${known.slice(0, 12)}`)}`,
    details: {
      reference: `commit:${stack}@${hex}`,
      ...(known !== undefined && { nearest: `${stack}@${known}` }),
    },
  });
}
