import { fail, nearest, type WritError } from "../../contract/index.ts";
import { bounds } from "../model/bounds.ts";
import { CallerBodies, CallerBody } from "../model/bodies.ts";
import { callerKinds, driverKinds } from "../model/words.ts";

/**
 * Reads what a caller wants recorded. A kind of the driver is refused whatever it holds: that an advisor answered, or
 * failed to, is recorded by the code that asked it and by nothing else.
 */
export function parseBody(given: Record<string, unknown>): CallerBody {
  const { kind } = given;
  if (driverKinds.some((one) => one === kind)) throw exchangeClaimed(String(kind));
  if (!callerKinds.some((one) => one === kind)) throw unknownKind(kind);
  requireDepth(given, { depth: 0, pointer: "" });
  const parsed = CallerBody.safeParse(given, { reportInput: true });
  if (!parsed.success) throw malformed(String(kind), parsed.error.issues[0] as Issue);
  requireBounds(given);
  return parsed.data;
}

function exchangeClaimed(kind: string): WritError {
  return fail("E_DISPATCH_REQUIRED", {
    message: `A ${kind} cannot be recorded by hand.`,
    cause: "Only the code that carried an exchange out records that it took place and how it ended.",
    remediation:
      "Ask: writ reasoning consult --assessment ID. A view you got in another way is evidence of kind prior_external_opinion.",
    details: { kind },
  });
}

function unknownKind(kind: unknown): WritError {
  const word = typeof kind === "string" ? kind.slice(0, 80) : undefined;
  const near = word === undefined ? undefined : nearest(word, callerKinds);
  return fail("USAGE_ERROR", {
    message: word === undefined ? "A record names its kind." : `There is no kind of record "${word}".`,
    cause: `Kinds are ${callerKinds.join(", ")}.`,
    remediation: near ? `Did you mean ${near}?` : "See what each holds: writ schema reasoning-record",
    details: { field: "/kind", known: [...callerKinds], ...(near && { nearest: near }) },
  });
}

interface Issue {
  code?: string;
  path: PropertyKey[];
  message: string;
  input?: unknown;
  values?: unknown[];
  keys?: string[];
}

function malformed(kind: string, issue: Issue): WritError {
  const pointer = issue.path.map((part) => `/${String(part)}`).join("");
  const unknown = issue.code === "unrecognized_keys" ? issue.keys?.[0] : undefined;
  const words = issue.code === "invalid_value" ? (issue.values ?? []).map(String) : [];
  const known =
    unknown !== undefined && pointer === ""
      ? Object.keys(CallerBodies[kind as keyof typeof CallerBodies].shape)
      : words;
  const given = unknown ?? (typeof issue.input === "string" ? issue.input.slice(0, 80) : undefined);
  const near = given === undefined ? undefined : nearest(given, known);
  return fail("USAGE_ERROR", {
    message:
      unknown === undefined
        ? `${pointer || "The record"} of ${article(kind)} ${kind} is not as it must be.`
        : `${article(kind) === "a" ? "A" : "An"} ${kind} has no field "${unknown}"${pointer && ` in ${pointer}`}.`,
    cause: known.length > 0 ? `Known are ${known.join(", ")}.` : issue.message,
    remediation: near ? `Did you mean ${near}?` : "See what it holds: writ schema reasoning-record",
    details: {
      field: unknown === undefined ? pointer : `${pointer}/${unknown}`,
      problem: issue.message,
      ...(near && { nearest: near }),
    },
  });
}

const article = (kind: string): "a" | "an" => (/^[aeiou]/.test(kind) ? "an" : "a");

/** Refuses what is nested deeper than any record, before anything else walks it. */
function requireDepth(value: unknown, { depth, pointer }: { depth: number; pointer: string }): void {
  if (depth > bounds.depth) throw tooMuch(`the depth at ${pointer}`, bounds.depth, depth);
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value))
    requireDepth(member, { depth: depth + 1, pointer: `${pointer}/${key}` });
}

/** Refuses what is larger or longer than a record may be, naming the bound. */
function requireBounds(value: unknown): void {
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? "");
  if (bytes > bounds.inputBytes) throw tooMuch("a record's bytes", bounds.inputBytes, bytes);
  measure(value, "");
}

function measure(value: unknown, pointer: string): void {
  if (typeof value === "string" && value.length > bounds.stringChars)
    throw tooMuch(`the characters of ${pointer}`, bounds.stringChars, value.length);
  if (Array.isArray(value) && value.length > bounds.listItems)
    throw tooMuch(`the items of ${pointer}`, bounds.listItems, value.length);
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) measure(member, `${pointer}/${key}`);
}

export function tooMuch(what: string, limit: number, found: number): WritError {
  return fail("E_LIMIT", {
    message: `${what} are more than a record holds.`,
    cause: `At most ${limit}; there are ${found}.`,
    remediation:
      "Say it shorter, refer to the rest as evidence, and record again: writ reasoning record --file FILE",
    details: { limit, found },
  });
}
