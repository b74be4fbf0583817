import { nearest } from "./suggest.ts";

/** Every kind of reference with the form of its name; there are no others, and each has one owner. */
export const referenceForms = {
  file: "file:<path>",
  stack: "stack:<id>",
  repo: "repo:<path>",
  setting: "setting:<key>",
  commit: "commit:<stack>@<hex>",
  topic: "topic:<slug> or topic:<slug>@<version>",
  collection: "collection:<slug> or collection:<slug>/<record id>",
  record: "record:<id>",
  paper: "paper:<id> or paper:<id>@<row_hash>",
  agent: "agent:<name>@<version>",
  run: "run:<id>",
  proposal: "proposal:<id>",
  approval: "approval:<id>",
} as const;

export type ReferenceKindName = keyof typeof referenceForms;

/** A citation taken apart. What stands behind "@" or "/" is absent where the form leaves it out. */
export type Reference =
  | { kind: "file" | "repo"; path: string }
  | { kind: "stack" | "record" | "run" | "proposal" | "approval"; id: string }
  | { kind: "setting"; key: string }
  | { kind: "commit"; stack: string; hex: string }
  | { kind: "topic"; slug: string; version?: string }
  | { kind: "collection"; slug: string; record?: string }
  | { kind: "paper"; id: string; rowHash?: string }
  | { kind: "agent"; name: string; version: string };

/** Why a text is no reference. */
export interface ReferenceFault {
  /** The kind, where it is one. */
  kind?: ReferenceKindName;
  cause: string;
  nearest?: string;
}

// No name of any kind comes near it, and a caller's text must not cost more than it is worth.
const maxLength = 2000;

/** Reads `<kind>:<name>`; a bare path is a file. */
export function parseReference(text: string): { reference: Reference } | { fault: ReferenceFault } {
  if (text.length > maxLength) return { fault: { cause: `It has more than ${maxLength} characters.` } };
  // A word of more than one letter: "C:\" is a path, and so is whatever has a slash before its colon.
  const [, word, name] = /^([a-z][a-z_-]+):(.*)$/s.exec(text) ?? [];
  if (word === undefined || name === undefined) return file(text);
  if (!isReferenceKind(word)) return { fault: unknownKind(word) };
  const reference = readName(word, name);
  if (reference) return { reference };
  return { fault: { kind: word, cause: `It is written ${referenceForms[word]}.` } };
}

/** Writes a reference as it is cited. Reading it back gives the same one. */
export function printReference(reference: Reference): string {
  return `${reference.kind}:${printName(reference)}`;
}

/** The name that the owner of the kind resolves: what stands behind the first colon. */
export function printName(reference: Reference): string {
  switch (reference.kind) {
    case "file":
    case "repo":
      return reference.path;
    case "setting":
      return reference.key;
    case "commit":
      return `${reference.stack}@${reference.hex}`;
    case "topic":
      return joined(reference.slug, "@", reference.version);
    case "collection":
      return joined(reference.slug, "/", reference.record);
    case "paper":
      return joined(reference.id, "@", reference.rowHash);
    case "agent":
      return `${reference.name}@${reference.version}`;
    case "stack":
    case "record":
    case "run":
    case "proposal":
    case "approval":
      return reference.id;
  }
}

/** Whether a word is a kind of reference. */
export function isReferenceKind(word: string): word is ReferenceKindName {
  return Object.hasOwn(referenceForms, word);
}

function joined(name: string, by: string, rest: string | undefined): string {
  return rest === undefined ? name : `${name}${by}${rest}`;
}

function file(path: string): { reference: Reference } | { fault: ReferenceFault } {
  if (path !== "") return { reference: { kind: "file", path } };
  return { fault: { kind: "file", cause: "It names nothing." } };
}

function unknownKind(word: string): ReferenceFault {
  const kinds = Object.keys(referenceForms);
  const near = nearest(word, kinds);
  return { cause: `The kinds are ${kinds.join(", ")}.`, ...(near !== undefined && { nearest: near }) };
}

const slug = /^[a-z0-9][a-z0-9_-]{0,79}$/;
const word = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

function readName(kind: ReferenceKindName, name: string): Reference | undefined {
  switch (kind) {
    case "file":
    case "repo":
      return name === "" ? undefined : { kind, path: name };
    case "stack":
      return name === "" ? undefined : { kind, id: name };
    case "setting":
      return word.test(name) ? { kind, key: name } : undefined;
    case "commit":
      return readCommit(name);
    case "topic":
      return readTopic(name);
    case "collection":
      return readCollection(name);
    case "paper":
      return readPaper(name);
    case "agent":
      return readAgent(name);
    case "record":
    case "run":
    case "proposal":
    case "approval":
      return word.test(name) ? { kind, id: name } : undefined;
  }
}

// From the last "@": the name of a stack that is a folder may hold one.
function readCommit(name: string): Reference | undefined {
  const [, stack, hex] = /^(.+)@([0-9a-f]{4,64})$/.exec(name) ?? [];
  return stack !== undefined && hex !== undefined ? { kind: "commit", stack, hex } : undefined;
}

function readTopic(name: string): Reference | undefined {
  const [, topic = "", version] = /^([^@]*)(?:@([0-9]{1,9}))?$/.exec(name) ?? [];
  if (!slug.test(topic)) return undefined;
  return { kind: "topic", slug: topic, ...(version !== undefined && { version }) };
}

function readCollection(name: string): Reference | undefined {
  const [, collection = "", record] = /^([^/]*)(?:\/(.+))?$/.exec(name) ?? [];
  if (!slug.test(collection) || (record !== undefined && !word.test(record))) return undefined;
  return { kind: "collection", slug: collection, ...(record !== undefined && { record }) };
}

// A DOI may hold almost anything, so only what looks like a row's hash is taken for one.
function readPaper(name: string): Reference | undefined {
  const [, id = "", rowHash] = /^(\S+?)(?:@([0-9a-f]{16}))?$/.exec(name) ?? [];
  if (id === "") return undefined;
  return { kind: "paper", id, ...(rowHash !== undefined && { rowHash }) };
}

function readAgent(name: string): Reference | undefined {
  const [, agent, version] =
    /^([a-z0-9][a-z0-9._-]{0,99})@([A-Za-z0-9][A-Za-z0-9._+-]{0,99})$/.exec(name) ?? [];
  return agent !== undefined && version !== undefined ? { kind: "agent", name: agent, version } : undefined;
}
