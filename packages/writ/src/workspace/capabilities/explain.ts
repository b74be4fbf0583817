import { z } from "zod";
import {
  type Context,
  capability,
  fail,
  nearest,
  parseReference,
  printName,
  printReference,
  type Reference,
  referenceForms,
  type ReferenceFault,
} from "../../contract/index.ts";
import { sourceErrors } from "../run/source-errors.ts";
import type { FileExplained } from "../explain/file.ts";
import { renderReference, renderFile } from "../explain/render.ts";

export default capability({
  id: "explain",
  summary: "Say what a file or any other reference is, where it comes from, and why it is as it is.",
  description:
    `A bare path is a file of the workspace, relative to the current folder. References: ${Object.values(referenceForms).join(", ")}. ` +
    "Each part of Writ answers for its own kinds, from what is on this machine; no network is used and nothing is changed.",
  input: z.object({
    ref: z.string().min(1).meta({ positional: 0 }).describe("A path, or a reference KIND:NAME."),
  }),
  // Open: every part adds the facts of its own kinds.
  output: () =>
    z.looseObject({
      reference: z.string().describe("The reference as it is cited."),
      path: z.string().optional().describe("Of a file or repository: its path."),
      kind: z.string().optional().describe("Of a file: what Writ owns there."),
      state: z.string().optional().describe("Of a file: where it stands between base, disk and stack."),
      rule: z.string().optional().describe("Of a file: the rule that put it there."),
    }),
  need: { effect: "observe", network: "never", workspace: "optional" },
  errors: ["E_NOT_FOUND", "E_NO_WORKSPACE", "E_UNSAFE_LINK", ...sourceErrors],
  examples: [
    { title: "Which stack a rule comes from, and which it hides", input: { ref: ".agents/rules/r1.md" } },
    { title: "Who sets the registry", input: { ref: "setting:registry" } },
    { title: "A commit of a stack", input: { ref: "commit:core@3f2a91c4" } },
  ],
  related: ["status", "diff"],
  async run(ctx, { ref }) {
    const read = parseReference(ref);
    if ("fault" in read) throw unknown(ref, read.fault);
    const reference = await asMeant(ctx, read.reference, ref);
    const owner = (await ctx.registered.references()).find(({ kind }) => kind === reference.kind);
    if (!owner) throw await unowned(ctx, reference.kind);
    return { reference: printReference(reference), ...(await owner.resolve(ctx, printName(reference))) };
  },
  render: (data, style) =>
    data.rule === undefined
      ? renderReference(data, style)
      : renderFile(data as unknown as FileExplained, style),
});

/** A bare path is one of the folder the caller stands in; behind `file:` it is the workspace's, wherever it is read. */
async function asMeant(ctx: Context, reference: Reference, typed: string): Promise<Reference> {
  if (reference.kind !== "file" || typed.startsWith("file:")) return reference;
  const { pathFromRoot } = await import("../../platform/index.ts");
  return { ...reference, path: pathFromRoot(ctx, reference.path).path };
}

function unknown(ref: string, { kind, cause, nearest: near }: ReferenceFault) {
  return fail("E_NOT_FOUND", {
    message: `There is no reference "${ref.slice(0, 80)}".`,
    cause: near === undefined ? cause : `${cause} The nearest is ${near}.`,
    remediation:
      kind === undefined
        ? "Name a path, or a reference of those kinds: writ explain --help"
        : `Write it so: writ explain ${referenceForms[kind].split(" or ")[0]}`,
    details: { reference: ref.slice(0, 200), ...(near !== undefined && { nearest: near }) },
  });
}

async function unowned(ctx: Context, kind: string) {
  const kinds = (await ctx.registered.references()).map((one) => one.kind).sort();
  const near = nearest(kind, kinds);
  return fail("E_NOT_FOUND", {
    message: `Nothing here can explain the kind ${kind}.`,
    cause: `This program explains ${kinds.join(", ")}.`,
    remediation: "See what it does: writ explain --help",
    details: { kind, known: kinds, ...(near !== undefined && { nearest: near }) },
  });
}
