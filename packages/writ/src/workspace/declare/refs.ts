import { quote, refuse, type Parsed } from "./problem.ts";

/** What was asked of a source: its default branch, or one branch, tag, commit, or `@` ref. */
export type Want = "default" | `branch:${string}` | `tag:${string}` | `commit:${string}` | `ref:${string}`;

const REF_MAX_BYTES = 200;
const commitPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;
// Space, control characters, and the characters git itself forbids in a ref name.
const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]/;

/** True for a full commit id; short ones are never accepted. */
export function isCommit(text: string): boolean {
  return commitPattern.test(text);
}

/** Why git would refuse a branch or tag of this name, or undefined when it would not. */
export function refFault(name: string): string | undefined {
  if (name === "" || name === "@") return "is no ref name";
  if (name.startsWith("-")) return "begins with -";
  if (new TextEncoder().encode(name).length > REF_MAX_BYTES) return `is longer than ${REF_MAX_BYTES} bytes`;
  if (forbidden.test(name)) return "holds a space, a control character or one of ~^:?*[\\";
  if (name.includes("..") || name.includes("@{")) return "holds .. or @{";
  if (name.startsWith("/") || name.endsWith("/") || name.includes("//")) return "has an empty part";
  if (name.endsWith(".")) return "ends in a dot";
  const odd = name.split("/").find((part) => part.startsWith(".") || part.endsWith(".lock"));
  return odd === undefined ? undefined : "has a part that begins with a dot or ends in .lock";
}

/** A branch or tag by name, held to git's rules before git sees it. */
export function parseRefName(name: string): Parsed<string> {
  const why = refFault(name);
  return why === undefined ? { value: name } : refuse("value", `${quote(name)} ${why}`);
}

/** A pinned commit: 40 or 64 hex digits, in lower case. */
export function parseCommit(text: string): Parsed<string> {
  if (isCommit(text)) return { value: text.toLowerCase() };
  return refuse("value", `${quote(text)} is no full commit id`, {
    hint: "give all 40 (or 64) hex digits",
  });
}

/** The `@x` form: a full commit id is a commit, anything else a tag or branch. */
export function parseAtRef(text: string): Parsed<Want> {
  if (isCommit(text)) return { value: `commit:${text.toLowerCase()}` };
  const name = parseRefName(text);
  return name.fault ? name : { value: `ref:${name.value}` };
}

/** Reads a want as the lock writes it. */
export function parseWant(text: string): Parsed<Want> {
  if (text === "default") return { value: "default" };
  const [, kind, name] = /^(branch|tag|ref|commit):(.*)$/s.exec(text) ?? [];
  if (kind === undefined || name === undefined) {
    return refuse("value", `${quote(text)} is not default, branch:, tag:, commit: or ref:`);
  }
  const parsed = kind === "commit" ? parseCommit(name) : parseRefName(name);
  return parsed.fault ? parsed : { value: `${kind}:${parsed.value}` as Want };
}

/** The want of the pins an entry may hold; at most one of them is set. */
export function wantOf(pins: { branch?: string; tag?: string; commit?: string }): Want {
  if (pins.branch !== undefined) return `branch:${pins.branch}`;
  if (pins.tag !== undefined) return `tag:${pins.tag}`;
  if (pins.commit !== undefined) return `commit:${pins.commit.toLowerCase()}`;
  return "default";
}
