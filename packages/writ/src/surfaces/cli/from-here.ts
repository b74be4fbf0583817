import { lstatSync } from "node:fs";
import { join, relative } from "node:path";
import type { Envelope } from "../../contract/index.ts";
import { quote } from "../../platform/index.ts";

// The words that a command line in a text begins with, behind what announces it.
const command = /(^|: |\(|, or |, )((?:mv|rm|ls|chmod|cp|git|writ) [^,()]*)/g;
const fields = new Set(["remediation", "fix_command", "next"]);

/**
 * The answer as it is shown to somebody who stands elsewhere than at the workspace's root: a command line that names
 * files of the workspace from its root first goes there, so that it works when it is pasted.
 */
export function fromHere(answer: Envelope, cwd: string | undefined): Envelope {
  const root = (answer.data.workspace as { root?: unknown } | undefined)?.root;
  if (typeof root !== "string" || cwd === undefined || root === cwd) return answer;
  const place = { root, cwd };
  return {
    ...answer,
    data: rewritten(answer.data, place),
    warnings: rewritten(answer.warnings, place),
    error: rewritten(answer.error, place),
  };
}

interface Place {
  root: string;
  cwd: string;
}

function rewritten<T>(value: T, place: Place, field?: string): T {
  if (typeof value === "string")
    return (field !== undefined && fields.has(field) ? withFolder(value, place) : value) as T;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => rewritten(one, place, field)) as T;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, rewritten(one, place, name)]),
  ) as T;
}

function withFolder(text: string, place: Place): string {
  return text.replaceAll(command, (whole, before: string, line: string) =>
    namesFromRoot(line, place) ? `${before}cd ${quote(relative(place.cwd, place.root))} && ${line}` : whole,
  );
}

/** Whether a word of the line is a file that is at the root, and not where the caller stands. */
function namesFromRoot(line: string, { root, cwd }: Place): boolean {
  const [program, ...rest] = line.split(/\s+/);
  const words = rest.map((word) => word.replaceAll(/^'|'$/g, ""));
  return words.some((word) => {
    // A word of Writ's own commands may be called like a folder.
    const mayBeFile = program !== "writ" || /[./]/.test(word);
    const isElsewhere = word === "" || word === "." || /^[-/~$"]/.test(word);
    return mayBeFile && !isElsewhere && isThere(join(root, word)) && !isThere(join(cwd, word));
  });
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
