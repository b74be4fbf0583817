import type { DeclaredAt } from "./model/manifest.ts";
import type { Lock } from "./model/lock.ts";
import { manifestFile } from "./file-names.ts";
import { lockFile } from "./file-names.ts";
import { identityOf, parseRepoText, repoText, type Resolvable, type Want } from "./sources.ts";

/** What the manifest asks for, to be answered by a lock entry. */
export interface Asked {
  source: Resolvable;
  want: Want;
  /** Of a product repository. */
  path?: string;
  declaredAt?: DeclaredAt;
}

export interface AnswerOptions {
  /** WRIT_GIT_BASE. */
  base: string;
  /** The schema of the lock; an AWaC lock also answers an entry without a branch. */
  schema: Lock["schema"];
}

type Pinned = { repo: string; want: Want; path?: string };

/** Finds the first lock entry that answers what is asked; the identity of each entry is worked out once. */
export function answerIn<P extends Pinned>(
  pinned: readonly P[],
  options: AnswerOptions,
): (asked: Asked) => P | undefined {
  const { base } = options;
  const byIdentity = Map.groupBy(pinned, ({ repo }) => {
    const source = parseRepoText(repo).value;
    return source && identityOf(source, base);
  });
  return (asked) =>
    byIdentity.get(identityOf(asked.source, base))?.find((entry) => answers(entry, asked, options));
}

/** True when a lock entry is about the same repository, at the same path where it has one. */
function isSame(pinned: Pinned, asked: Asked, base: string): boolean {
  const source = parseRepoText(pinned.repo).value;
  return (
    source !== undefined &&
    identityOf(source, base) === identityOf(asked.source, base) &&
    (asked.path === undefined || pinned.path === asked.path)
  );
}

/** True when a lock entry answers what the manifest asks for. */
export function answers(pinned: Pinned, asked: Asked, { base, schema }: AnswerOptions): boolean {
  if (!isSame(pinned, asked, base)) return false;
  return pinned.want === asked.want || (schema !== "writ/1" && asked.want === "default");
}

/** One way in which a lock and the manifest differ. */
export interface Difference {
  kind: "missing_lock" | "added" | "removed" | "changed";
  what: "lock" | "registry" | "stack" | "repo";
  name: string;
  /** The file the pointer is about. */
  file: string;
  pointer: string;
  /** Where the entry stands in workspace.yml. */
  line?: number;
}

/** Everything the manifest asks for; `repos` is absent where nobody looked at repositories. */
export interface AskedAll {
  registry?: Asked;
  stacks: readonly Asked[];
  repos?: readonly Asked[];
}

/** How a lock and the manifest differ; empty when the lock answers every entry and holds no other. */
export function differences(lock: Lock | undefined, asked: AskedAll, base: string): Difference[] {
  if (!lock) return [{ kind: "missing_lock", what: "lock", name: lockFile, file: lockFile, pointer: "" }];
  const options = { base, schema: lock.schema };
  return [
    ...registryDifferences(lock, asked.registry, options),
    ...compare({ what: "stack", pinned: lock.stacks, asked: asked.stacks }, options),
    ...(asked.repos ? compare({ what: "repo", pinned: lock.repos, asked: asked.repos }, options) : []),
  ];
}

function registryDifferences(lock: Lock, asked: Asked | undefined, options: AnswerOptions): Difference[] {
  // An AWaC lock pins no registry, so it can neither answer nor contradict.
  if (lock.schema !== "writ/1") return [];
  const pinned = lock.registry ? [lock.registry] : [];
  const found = compare({ what: "registry", pinned, asked: asked ? [asked] : [] }, options);
  if (found.length < 2 || !asked) return found;
  return [{ kind: "changed", what: "registry", name: repoText(asked.source), ...placeOf(asked) }];
}

interface Sides {
  what: "registry" | "stack" | "repo";
  pinned: readonly (Pinned & { id?: string })[];
  asked: readonly Asked[];
}

function compare({ what, pinned, asked }: Sides, options: AnswerOptions): Difference[] {
  const used = new Set<number>();
  const answerTo = answerIn(pinned, options);
  const found = asked.flatMap((one): Difference[] => {
    const answering = answerTo(one);
    const answer = answering ? pinned.indexOf(answering) : -1;
    const related = answer >= 0 ? answer : pinned.findIndex((entry) => isRelated(entry, one, options.base));
    if (related >= 0) used.add(related);
    if (answer >= 0) return [];
    const kind = related >= 0 ? "changed" : "added";
    return [{ kind, what, name: one.path ?? repoText(one.source), ...placeOf(one) }];
  });
  const removed = pinned.flatMap((entry, at): Difference[] => {
    if (used.has(at)) return [];
    const pointer = what === "registry" ? "/registry" : `/${what === "stack" ? "stacks" : "repos"}/${at}`;
    return [{ kind: "removed", what, name: entry.path ?? entry.id ?? entry.repo, file: lockFile, pointer }];
  });
  return [...found, ...removed];
}

function isRelated(entry: Pinned, asked: Asked, base: string): boolean {
  return asked.path === undefined ? isSame(entry, asked, base) : entry.path === asked.path;
}

function placeOf({ declaredAt }: Asked): Pick<Difference, "file" | "pointer" | "line"> {
  return {
    file: manifestFile,
    pointer: declaredAt?.pointer ?? "/registry",
    ...(declaredAt && { line: declaredAt.line }),
  };
}
