import type { ReferenceKind } from "../contract/index.ts";

/** `paper:<id>`: a paper of the library, as evidence. */
export const researchReferences: ReferenceKind[] = [
  {
    kind: "paper",
    resolve: async (ctx, name) => (await import("./read/explain.ts")).explainPaper(ctx, name),
  },
];
