import type { Scope } from "../model.ts";

/**
 * The papers of a scope, as a condition over `papers`. `all` is every active paper that is not rejected, `seeds` and
 * `accepted` choose among these; with `includeRejected` they choose among the rejected ones too. `as` is the name
 * under which the query knows the table.
 */
export function scopeSql(scope: Scope, options: { includeRejected?: boolean; as?: string } = {}): string {
  const { includeRejected = false, as = "papers" } = options;
  const base = includeRejected ? `${as}.active` : `${as}.active AND ${as}.curation_status <> 'rejected'`;
  switch (scope) {
    case "all":
      return `(${base})`;
    case "seeds":
      return `(${base} AND ${as}.is_seed)`;
    case "accepted":
      return `(${base} AND (${as}.is_seed OR ${as}.curation_status = 'accepted'))`;
  }
}
