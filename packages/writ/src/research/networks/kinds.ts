import type { NetworkKind } from "../model.ts";

/** What a node of a network is. */
export type NodeOf = "paper" | "reference" | "author" | "institution" | "keyword" | "country";

/** What links papers with keys: the other end of a paper's membership. */
export type KeyOf = "reference" | "citer" | "author" | "institution" | "keyword" | "country";

interface Kind {
  node: NodeOf;
  key: KeyOf;
  directed: boolean;
  /** Built when no kind is asked for; co-citation only where any citer is known. */
  byDefault: boolean;
}

/**
 * Every network is made of one thing, which papers hold which keys: papers are linked by the keys they share, or
 * keys by the papers that hold both. Only direct citation links papers with the papers among their keys.
 */
export const kinds: Readonly<Record<NetworkKind, Kind>> = {
  bibliographic_coupling: { node: "paper", key: "reference", directed: false, byDefault: true },
  cocitation: { node: "paper", key: "citer", directed: false, byDefault: true },
  author_collab: { node: "author", key: "author", directed: false, byDefault: true },
  institution_collab: { node: "institution", key: "institution", directed: false, byDefault: true },
  keyword_cooccurrence: { node: "keyword", key: "keyword", directed: false, byDefault: true },
  cocitation_refs: { node: "reference", key: "reference", directed: false, byDefault: false },
  country_collab: { node: "country", key: "country", directed: false, byDefault: false },
  direct_citation: { node: "paper", key: "reference", directed: true, byDefault: false },
};

/** The kinds of the default build, in their order. */
export const defaultKinds = (Object.keys(kinds) as NetworkKind[]).filter((kind) => kinds[kind].byDefault);
