/** Whose kind of fault an error is; it alone decides the exit code and the HTTP status. */
export type Category =
  | "usage"
  | "internal"
  | "data"
  | "auth"
  | "policy"
  | "conflict"
  | "dependency"
  | "network"
  | "store";

/** The complete table of exit codes; the shell's own 130 and 143 (signals) are the only others. */
export const exitCodes = [
  { code: 0, name: "ok", categories: [], meaning: "Done, or an honest nothing to do." },
  {
    code: 1,
    name: "usage",
    categories: ["usage", "internal"],
    meaning: "The call is malformed or misses input; or a defect in Writ (INTERNAL_ERROR).",
  },
  {
    code: 2,
    name: "data",
    categories: ["data", "auth", "policy", "conflict"],
    meaning:
      "What was given or found is invalid, absent, refused by a rule, or needs authority the caller has not shown.",
  },
  {
    code: 3,
    name: "dependency",
    categories: ["dependency"],
    meaning: "Something that must be installed, running or configured is missing.",
  },
  {
    code: 4,
    name: "network",
    categories: ["network"],
    meaning: "Another machine failed or refused.",
  },
  {
    code: 5,
    name: "store",
    categories: ["store"],
    meaning: "Writ's own state is locked, corrupt or cannot be written.",
  },
] as const satisfies readonly {
  code: number;
  name: string;
  categories: readonly Category[];
  meaning: string;
}[];

const codeOfCategory: Record<Category, number> = {
  usage: 1,
  internal: 1,
  data: 2,
  auth: 2,
  policy: 2,
  conflict: 2,
  dependency: 3,
  network: 4,
  store: 5,
};

/** The exit code of an error of this category. */
export function exitCodeOf(category: Category): number {
  return codeOfCategory[category];
}
