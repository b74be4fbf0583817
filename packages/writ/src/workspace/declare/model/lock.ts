import type { Want } from "../sources.ts";

/** The registry a lock pins. */
export interface LockRegistry {
  /** `org/repo` or a URL. */
  repo: string;
  want: Want;
  ref: string;
  commit: string;
}

/** One pinned stack; `commit` is absent only for a folder without git. */
export interface LockStack {
  id: string;
  /** `org/repo`, a URL, or `path:<relative>`. */
  repo: string;
  want: Want;
  ref?: string;
  commit?: string;
  /** Absent only in an AWaC lock, which has no content hashes. */
  content?: string;
}

/** One pinned product repository. */
export interface LockRepo {
  path: string;
  repo: string;
  want: Want;
  ref: string;
  commit: string;
  /** A stack id, `modules` or `extra_repos`. */
  from: string;
}

/** workspace.lock.yml. An AWaC lock keeps its schema word here until it is written anew. */
export interface Lock {
  schema: "writ/1" | "awac/1" | "awac/2";
  registry?: LockRegistry;
  /** In layer order. */
  stacks: LockStack[];
  /** Sorted by path. */
  repos: LockRepo[];
}
