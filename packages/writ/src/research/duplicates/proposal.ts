import { createHash } from "node:crypto";
import type { Veto } from "./vetoes.ts";

/** What may be one and the same. */
export const duplicateKinds = ["paper", "author", "institution", "keyword"] as const;
export type DuplicateKind = (typeof duplicateKinds)[number];
export type EntityKind = Exclude<DuplicateKind, "paper">;

/** Two things that may be one; nothing is merged before a person says so. */
export interface Proposal {
  /** Follows from what it joins. */
  proposal: string;
  kind: DuplicateKind;
  /** Paper ids, or keys of nodes in networks. */
  keep: string;
  drop: string;
  keep_label: string;
  drop_label: string;
  /** 0 to 100. */
  score: number;
  evidence: string[];
  vetoed?: Veto;
}

/** The least score of a proposal. */
export const thresholds: Readonly<Record<DuplicateKind, number>> = {
  paper: 95,
  author: 92,
  institution: 92,
  keyword: 90,
};

/** The id of the proposal, and of the merge, that joins two things. */
export function mergeId(kind: DuplicateKind, keep: string, drop: string): string {
  return `mrg_${createHash("sha256").update(`${kind}|${keep}|${drop}`).digest("hex").slice(0, 16)}`;
}

export function rounded(score: number): number {
  return Math.round(score * 100) / 100;
}

/** Best first, then by id. */
export function byScore(a: Proposal, b: Proposal): number {
  return b.score - a.score || (a.proposal < b.proposal ? -1 : 1);
}
