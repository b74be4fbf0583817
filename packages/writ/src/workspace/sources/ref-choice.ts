import { fail, nearest, type WritError } from "../../contract/index.ts";
import type { RemoteRefs } from "./remote-refs.ts";
import type { Want } from "../declare/refs.ts";

/** What a want comes to: the full name of a ref and its commit; a pinned commit has no ref. */
export interface Chosen {
  ref?: string;
  commit: string;
}

/** Finds what was asked among the refs of a repository; pure. */
export function chooseRef(want: Want, remote: RemoteRefs, label: string): Chosen {
  if (want === "default") return defaultBranch(remote, label);
  const at = want.indexOf(":");
  const [kind, name] = [want.slice(0, at), want.slice(at + 1)];
  if (kind === "commit") return { commit: name };
  const branch = kind === "tag" ? undefined : found(remote, `refs/heads/${name}`);
  const tag = kind === "branch" ? undefined : found(remote, `refs/tags/${name}`);
  if (branch && tag) throw ambiguous(name, label);
  const chosen = branch ?? tag;
  if (!chosen) throw notFound({ kind, name, remote, label });
  return chosen;
}

function found(remote: RemoteRefs, ref: string): Chosen | undefined {
  const commit = remote.refs.get(ref);
  return commit === undefined ? undefined : { ref, commit };
}

function defaultBranch(remote: RemoteRefs, label: string): Chosen {
  const chosen = remote.head === undefined ? undefined : found(remote, remote.head);
  if (chosen) return chosen;
  throw fail("E_REF_NOT_FOUND", {
    message: `${label} has no default branch.`,
    cause:
      remote.refs.size === 0 ? "The repository has no commits." : "Its HEAD points to no branch that exists.",
    remediation: "Name a branch: {ref: …, branch: NAME}",
    details: { source: label, closest: closestTo("main", namesOf(remote, "refs/heads/")) },
  });
}

function ambiguous(name: string, label: string): WritError {
  return fail("E_REF_AMBIGUOUS", {
    message: `${label} has both a branch and a tag named ${name}.`,
    cause: `refs/heads/${name} and refs/tags/${name} both exist.`,
    remediation: `Say which is meant: {ref: …, branch: ${name}} or {ref: …, tag: ${name}}`,
    details: { source: label, ref: name, candidates: [`refs/heads/${name}`, `refs/tags/${name}`] },
  });
}

function notFound({
  kind,
  name,
  remote,
  label,
}: {
  kind: string;
  name: string;
  remote: RemoteRefs;
  label: string;
}): WritError {
  const branches = kind === "tag" ? [] : namesOf(remote, "refs/heads/");
  const tags = kind === "branch" ? [] : namesOf(remote, "refs/tags/");
  const what = kind === "ref" ? "branch or tag" : kind;
  const closest = closestTo(name, [...branches, ...tags]);
  return fail("E_REF_NOT_FOUND", {
    message: `${label} has no ${what} named ${name}.`,
    cause:
      closest.length > 0
        ? `The closest names are ${closest.join(", ")}.`
        : `It has no ${what} of a similar name.`,
    remediation:
      closest[0] === undefined
        ? `Look at what it has, then correct workspace.yml.`
        : `Use ${closest[0]}, or correct the name in workspace.yml.`,
    details: { source: label, ref: name, closest },
  });
}

function namesOf(remote: RemoteRefs, prefix: string): string[] {
  return [...remote.refs.keys()]
    .filter((ref) => ref.startsWith(prefix))
    .map((ref) => ref.slice(prefix.length));
}

// Comparing a name with tens of thousands of others would take seconds and help nobody more.
const MAX_COMPARED = 2_000;

function closestTo(name: string, names: readonly string[]): string[] {
  const left = new Set(names.slice(0, MAX_COMPARED));
  const closest: string[] = [];
  for (
    let found = nearest(name, left);
    found !== undefined && closest.length < 3;
    found = nearest(name, left)
  ) {
    closest.push(found);
    left.delete(found);
  }
  return closest;
}
