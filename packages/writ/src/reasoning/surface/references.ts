import { fail, type ReferenceKind } from "../../contract/index.ts";

/** The kind of reference this part owns. */
export const reasoningReferences: ReferenceKind[] = [
  {
    kind: "record",
    async resolve(ctx, name) {
      if (!ctx.workspace) {
        throw fail("E_NO_WORKSPACE", {
          message: "There is no workspace here that this record could be of.",
          cause: "No workspace.yml stands in the folder or above it.",
          remediation: "Make one with writ init NAME, or name one with --workspace DIR.",
          details: { searched_from: ctx.base },
        });
      }
      const { explainRecord } = await import("./read.ts");
      return explainRecord(ctx, { id: name });
    },
  },
];
