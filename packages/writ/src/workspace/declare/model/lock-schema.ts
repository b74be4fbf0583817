import * as z from "zod";
import { parsePath } from "../paths.ts";
import { quote } from "../problem.ts";
import { isCommit, parseWant, refFault } from "../refs.ts";
import { parseRepoText } from "../sources.ts";
import { checkedText } from "./text.ts";

const repo = checkedText((text) => parseRepoText(text), "org/repo, a git URL, or path:<relative>.");
const remoteRepo = checkedText((text) => {
  const parsed = parseRepoText(text);
  return parsed.value?.kind === "path"
    ? { fault: { kind: "value", message: "a folder cannot stand here" } }
    : parsed;
}, "org/repo or a git URL.");
const want = checkedText(parseWant, "What was asked: default, branch:x, tag:x, commit:<hex> or ref:x.");
const commit = z
  .string()
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, "is no full commit id")
  .describe("A full commit id.");
const label = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, "holds a control character");

const ref = checkedText((text) => {
  const why = isCommit(text)
    ? undefined
    : /^refs\/(?:heads|tags)\//.test(text)
      ? refFault(text)
      : "is no full ref name";
  return why === undefined ? { value: text } : { fault: { kind: "value", message: `${quote(text)} ${why}` } };
}, "The full name of the ref, or the commit itself.");

const path = checkedText((text) => {
  const parsed = parsePath(text);
  if (parsed.fault || parsed.value === text) return parsed;
  return { fault: { kind: "value", message: `${quote(text)} is not written as ${parsed.value}` } };
}, "Where the repository is cloned.");

/** workspace.lock.yml as Writ writes it. */
export const LockSchema = z
  .strictObject({
    schema: z.literal("writ/1"),
    registry: z
      .strictObject({ repo: remoteRepo, want, ref, commit })
      .optional()
      .describe("The registry, when one was used."),
    stacks: z
      .array(
        z.strictObject({
          id: label.describe("The stack's id."),
          repo,
          want,
          ref: ref.optional(),
          commit: commit.optional().describe("Absent only for a folder without git."),
          content: z
            .string()
            .regex(/^sha256:[0-9a-f]{64}$/, "is no sha256: hash")
            .describe("Hash of the stack's files."),
        }),
      )
      .max(64)
      .describe("Stacks in layer order."),
    repos: z
      .array(
        z.strictObject({
          path,
          repo: remoteRepo,
          want,
          ref,
          commit,
          from: label.describe("The stack that declares it, or modules, or extra_repos."),
        }),
      )
      .max(20_000)
      .describe("Product repositories, sorted by path."),
  })
  .meta({ title: "workspace.lock.yml", description: "What each source was pinned to. Written by writ." });

const awacRef = checkedText((text) => {
  const why = isCommit(text) ? undefined : refFault(text);
  return why === undefined ? { value: text } : { fault: { kind: "value", message: `${quote(text)} ${why}` } };
}, "A branch.");

/** The lock that wsp writes; read once, with its unknown keys passed over. */
export const AwacLockSchema = z.looseObject({
  schema: z.enum(["awac/1", "awac/2"]),
  stacks: z.array(z.looseObject({ repo: remoteRepo, ref: awacRef, commit })).max(64),
  repos: z
    .array(
      z.looseObject({
        repo: remoteRepo,
        ref: awacRef,
        commit,
        path: checkedText(parsePath, "A relative path."),
      }),
    )
    .max(20_000)
    .optional(),
});
