import { fail, type Warning } from "../../contract/index.ts";
import {
  composeContextFile,
  importLine,
  regionHash,
  hasOwnText,
  type ContextTarget,
} from "./context-file.ts";
import { sizeWarnings } from "./context-size.ts";
import type {
  ContextFile,
  ContextInput,
  ContextResult,
  RegionHashes,
  RetiredContextFile,
} from "./context-types.ts";
import { maxContextBytes } from "./context-bytes.ts";
import { generateText } from "./generated-text.ts";
import { markerLine, parseMarkers, type Damage, type Parsed } from "./markers.ts";
import { mergeNotes, notesHash, type MergedNotes } from "./notes.ts";
import { grouped } from "./grouped.ts";

interface Read {
  path: string;
  role: ContextFile["role"];
  existing: Buffer | null;
  parsed: Parsed;
}

/** Works out every context file: what is to stand there, what to record, and what cannot be written. */
export function composeContextFiles(input: ContextInput): ContextResult {
  const { plan } = input;
  const text = generateText(input, plan.budgetBytes);
  const reads = readDeclared(input);
  const retired = readRetired(input);
  const notes = mergeAll(input, reads, retired);
  const files: ContextFile[] = [];
  const damaged: Damage[] = [];
  for (const read of reads) {
    const { parsed } = read;
    const composed =
      parsed.state === "damaged"
        ? { damage: { file: read.path, ...parsed.damage } }
        : composeContextFile(targetOf(input, { ...read, parsed }, { lines: text.lines, notes }));
    if ("damage" in composed) damaged.push(composed.damage);
    else files.push(composed.file);
  }
  const extras = plan.plain.map((path) => ({ path, bytes: plainText(text.lines, notes.shared) }));
  return {
    files,
    extras,
    retired: retired.map((read) => retire(input, read, notes)),
    adopted: files.filter((file) => file.adopted).map((file) => file.path),
    damaged,
    notes: notes.shared,
    warnings: [
      ...(text.shortened ? [shortenedWarning(plan.budgetBytes)] : []),
      ...(notes.conflict.length > 0 ? [notesWarning(notes.conflict)] : []),
      ...sizeWarnings([...files, ...extras]),
    ],
  };
}

function readDeclared({ plan, linked, existing, applied }: ContextInput): Read[] {
  const declared: { path: string; role: ContextFile["role"] }[] = [
    { path: plan.canonical, role: "canonical" },
    ...plan.copies.map((path) => ({ path, role: "copy" as const })),
    ...plan.imports.map((path) => ({ path, role: "import" as const })),
  ];
  return declared
    .filter(({ path }) => !linked?.has(path))
    .map(({ path, role }) => {
      const bytes = existing.get(path) ?? null;
      return { path, role, existing: bytes, parsed: parseFile({ path, bytes, recorded: applied.get(path) }) };
    });
}

function parseFile({
  path,
  bytes,
  recorded,
}: {
  path: string;
  bytes: Buffer | null;
  recorded?: RegionHashes;
}): Parsed {
  if (!bytes) return { state: "unmarked", fenced: [] };
  if (bytes.length > maxContextBytes) throw contextTooLarge(path, bytes.length);
  const parsed = parseMarkers(bytes);
  // Had Writ's own markers slipped into a code block, the file would get its regions a second time.
  const lost = recorded ? lostMarkers(parsed, recorded) : [];
  if (parsed.state === "damaged" || lost.length === 0) return parsed;
  return { state: "damaged", damage: { markers: parsed.fenced, missing: lost, problems: [] } };
}

/** Marker lines that a recorded file had and that now stand only in fenced code. */
function lostMarkers(parsed: Parsed, recorded: RegionHashes): string[] {
  if (parsed.state === "damaged") return [];
  const header =
    parsed.state === "valid" ? [] : ([markerLine("header-start"), markerLine("header-end")] as const);
  const hasNotes = recorded.editable !== "" && !("editable" in parsed);
  const notes = hasNotes ? [markerLine("editable-start"), markerLine("editable-end")] : [];
  const fenced = new Set(parsed.fenced.map(({ marker }) => marker));
  return [...header, ...notes].filter((line) => fenced.has(line));
}

/** Context files recorded earlier that are not declared any more. */
function readRetired({ plan, linked, existing, applied }: ContextInput): Read[] {
  const gone = [...applied.keys()].filter((path) => !plan.paths.includes(path) && !linked?.has(path));
  return gone.map((path) => {
    const bytes = existing.get(path) ?? null;
    return { path, role: "copy", existing: bytes, parsed: parseFile({ path, bytes }) };
  });
}

function mergeAll(
  { plan, applied, baseNotes }: ContextInput,
  reads: readonly Read[],
  retired: readonly Read[],
): MergedNotes {
  const sharing = reads.filter(({ role, parsed }) => role !== "import" && parsed.state !== "damaged");
  // Declared files first: one that is kept though no longer declared may hold an old base.
  const recorded = [...plan.paths, ...applied.keys()].map((path) => applied.get(path)?.editable);
  const base = recorded.find((hash) => hash !== undefined && hash !== "");
  return mergeNotes({
    copies: sharing.map(copyOf),
    retired: retired.map(copyOf),
    ...(base !== undefined && { base }),
    ...(baseNotes && notesHash(baseNotes) === base && { baseValue: baseNotes }),
  });
}

function copyOf({ path, existing, parsed }: Read) {
  const region = parsed.state === "valid" ? parsed.editable : undefined;
  return { path, value: existing && region ? existing.subarray(region.innerStart, region.innerEnd) : null };
}

function targetOf(
  { plan, applied, settle }: ContextInput,
  read: Read & { parsed: ContextTarget["parsed"] },
  { lines, notes }: { lines: readonly string[]; notes: MergedNotes },
): ContextTarget {
  const value = read.role === "import" ? undefined : notes.values.get(read.path);
  const recorded = applied.get(read.path);
  const choice = settle?.get(read.path);
  return {
    ...read,
    lines: read.role === "import" ? [importLine(read.path, plan.canonical)] : lines,
    ...(value && { notes: { value, state: notes.states.get(read.path) ?? "clean", base: notes.base } }),
    ...(recorded && { recorded }),
    ...(choice && { settle: choice }),
  };
}

/** The same text without markers and comments, for files that a client shows as they are. */
function plainText(lines: readonly string[], notes: Buffer): Buffer {
  const told = notes.toString("utf8").trim() === "" ? [] : [Buffer.from("\n"), notes];
  return Buffer.concat([Buffer.from(`${lines.slice(1).join("\n")}\n`), ...told]);
}

/** A file that is no longer declared goes only when nothing of the user would go with it. */
function retire(
  { applied }: ContextInput,
  { path, existing, parsed }: Read,
  notes: MergedNotes,
): RetiredContextFile {
  const record = applied.get(path);
  if (!existing || parsed.state === "unmarked") return { path, action: "forget" };
  const kept: RetiredContextFile = { path, action: "keep", ...(record && { record }) };
  if (parsed.state !== "valid" || !record || hasOwnText(existing)) return kept;
  if (regionHash(existing, parsed.generated) !== record.generated) return kept;
  const known = new Set([record.editable, notesHash(notes.shared), notesHash(Buffer.alloc(0))]);
  const isKnown = !parsed.editable || known.has(regionHash(existing, parsed.editable));
  return isKnown ? { path, action: "delete" } : kept;
}

function shortenedWarning(budget: number): Warning {
  return {
    code: "W_INDEX_SHORTENED",
    message: `The index in the context files was shortened to fit ${grouped(budget)} bytes; .agents/INDEX.md has all of it.`,
    remediation:
      "Raise agent_context.budget_bytes in workspace.yml (writ/1, at most 24576) if agents should see more at once.",
  };
}

function notesWarning(paths: readonly string[]): Warning {
  return {
    code: "W_NOTES_CONFLICT",
    message: `The notes in ${paths.join(", ")} differ; each file keeps its own.`,
    remediation: "Put the same notes between the editable markers of these files, then run writ bootstrap.",
  };
}

/** The error for a context file that is larger than what is read. */
export function contextTooLarge(path: string, found: number) {
  return fail("E_LIMIT", {
    message: `${path} is too large to be read as a context file: ${found} bytes.`,
    cause: `At most ${maxContextBytes} bytes are parsed.`,
    remediation: `Move most of ${path} into a file of its own, or take it out of agent_context.`,
    details: { limit: maxContextBytes, found, source: path },
  });
}
