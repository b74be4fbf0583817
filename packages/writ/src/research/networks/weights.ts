/**
 * Normalised weights: c the weight of the pair, a the items of a node in scope, w the sum of weights at a node and m the
 * sum of all weights, both before any edge is dropped. All are symmetric. `association` and `vos` after Van Eck and
 * Waltman (2009), `cosine` is Salton's.
 */
export const formulas = {
  association: "c / (CAST(ai AS DOUBLE) * aj)",
  vos: "2 * m * c / (wi * wj)",
  cosine: "c / sqrt(CAST(ai AS DOUBLE) * aj)",
  equivalence: "c * c / (CAST(ai AS DOUBLE) * aj)",
  jaccard: "c / (CAST(ai AS DOUBLE) + aj - c)",
  inclusion: "c / least(ai, aj)",
} as const;

export const normalisations = ["none", ...(Object.keys(formulas) as (keyof typeof formulas)[])] as const;
export type Normalisation = (typeof normalisations)[number];

/** What fractional counting allows: the others compare with numbers of items. */
export const fractionalNormalisations: readonly Normalisation[] = ["none", "vos"];
