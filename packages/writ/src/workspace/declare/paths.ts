import { quote, refuse, type Parsed } from "./problem.ts";

const MAX_BYTES = 240;
const MAX_SEGMENTS = 16;

/** The words for why a path is refused. */
export type PathFault =
  | "empty"
  | "absolute"
  | "drive"
  | "unc"
  | "backslash"
  | "dot_segment"
  | "control"
  | "encoding"
  | "ignorable"
  | "trailing"
  | "reserved"
  | "git"
  | "too_long"
  | "too_deep"
  | "owned";

/** A path that stays where it is put, or why it would not. */
export type CheckedPath = { path: string; reason?: undefined } | { reason: PathFault; path?: undefined };

const words: Record<PathFault, string> = {
  empty: "is empty or has an empty segment",
  absolute: "is absolute",
  drive: "names a drive",
  unc: "names another machine",
  backslash: "holds a backslash",
  dot_segment: "has a . or .. segment",
  control: "holds a control character",
  encoding: "is not valid text",
  ignorable: "holds characters that file systems ignore",
  trailing: "has a segment that ends in a space or dot",
  reserved: "has a segment that Windows reserves",
  git: "leads into git's own folder",
  too_long: `is longer than ${MAX_BYTES} bytes`,
  too_deep: `has more than ${MAX_SEGMENTS} segments`,
  owned: "is, holds or lies in a place that Writ or git owns",
};

// Windows opens a device for these, whatever the extension.
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[ ]*[.:]|[ ]*$)/i;
// `.git`, its short form on Windows, and either with a stream name behind it.
const gitFolder = /^(?:\.git|git~\d+)[ .]*(?:$|:)/i;
const ignorable = /\p{Default_Ignorable_Code_Point}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/**
 * Checks a path taken from any file: relative, with `/`, and harmless on every platform. A trailing slash and
 * one leading `./` are dropped.
 */
export function checkRelativePath(text: string): CheckedPath {
  if (!text.isWellFormed()) return { reason: "encoding" };
  if (control.test(text)) return { reason: "control" };
  if (text.startsWith("\\\\") || text.startsWith("//")) return { reason: "unc" };
  if (text.startsWith("/")) return { reason: "absolute" };
  if (text.includes("\\")) return { reason: "backslash" };
  const path = text.replace(/^\.\//, "").replace(/\/$/, "");
  if (/^[A-Za-z]:/.test(path)) return { reason: "drive" };
  // No character of a string takes more than three bytes.
  if (path.length * 3 > MAX_BYTES && new TextEncoder().encode(path).length > MAX_BYTES)
    return { reason: "too_long" };
  const segments = path.split("/");
  if (segments.length > MAX_SEGMENTS) return { reason: "too_deep" };
  for (const segment of segments) {
    const reason = segmentFault(segment);
    if (reason !== undefined) return { reason };
  }
  return { path };
}

function segmentFault(segment: string): PathFault | undefined {
  if (segment === "") return "empty";
  if (segment === "." || segment === "..") return "dot_segment";
  if (ignorable.test(segment)) return "ignorable";
  if (gitFolder.test(segment)) return "git";
  if (/[ .]$/.test(segment)) return "trailing";
  return device.test(segment) ? "reserved" : undefined;
}

/** What file systems that ignore case and composition see: equal keys are one file somewhere. */
export function foldedPath(path: string): string {
  // Upper case first, so that letters without a lower-case twin of their own (ß, ſ) fold with their like.
  return path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

/** True when one path is the other, or holds it, on any file system. */
export function isInside(path: string, folder: string): boolean {
  const [inner, outer] = [foldedPath(path), foldedPath(folder)];
  return inner === outer || inner.startsWith(`${outer}/`);
}

const owned = [
  ".git",
  ".agents",
  ".stack",
  ".writ",
  ".claude/skills",
  "workspace.yml",
  "workspace.lock.yml",
  ".gitignore",
  // The user's own notes, which Writ never writes.
  "CLAUDE.local.md",
  "WORKSPACE_PRIVATE.md",
] as const;

/** Checks the path of a clone, an extra or a base folder: besides, it may not touch what Writ or git owns. */
export function checkClonePath(text: string, contextFiles: readonly string[] = []): CheckedPath {
  const checked = checkRelativePath(text);
  if (checked.path === undefined) return checked;
  const { path } = checked;
  const touches = [...owned, ...contextFiles].some((place) => isInside(path, place) || isInside(place, path));
  return touches ? { reason: "owned" } : checked;
}

/** A checked path as a value or a problem. */
export function pathOrFault(text: string, checked: CheckedPath): Parsed<string> {
  if (checked.path !== undefined) return { value: checked.path };
  return refuse("unsafe_path", `the path ${quote(text)} ${words[checked.reason]}`, {
    hint: "a relative path with / and plain names",
    facts: { reason: checked.reason, path: text },
  });
}

/** {@link checkRelativePath} as a value or a problem. */
export function parsePath(text: string): Parsed<string> {
  return pathOrFault(text, checkRelativePath(text));
}

/** Checks the folder of a local stack: relative, but it may lead outside, because it is only read. */
export function parseLocalFolder(text: string): Parsed<string> {
  const inner = text.replace(/^(?:\.\.?\/)*/, "").replace(/^\.\.?$/, "");
  if (inner === "" && text !== "") return { value: text };
  const checked = checkRelativePath(inner);
  return checked.path === undefined ? pathOrFault(text, checked) : { value: text };
}
