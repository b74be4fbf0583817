import { basename } from "node:path";
import { fail, type WritError } from "../contract/index.ts";
import { lstatOrNull, storing } from "../platform/index.ts";
import { checkNext, type Surroundings } from "./chain.ts";
import { checkpointChecker, truncated } from "./check-checkpoints.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { LedgerEvent } from "./event.ts";
import { type ExportHeader, isHeader, parseLine } from "./export-lines.ts";
import type { Finding, Verdict } from "./finding.ts";
import type { Head } from "./head.ts";
import { readLines } from "./read-lines.ts";

/**
 * Checks an export without a store: every byte, the chain, and its checkpoints against the keys in the file
 * and against those that this installation saw itself. Rows and payloads are not in an export.
 */
export async function verifyFile(
  path: string,
  options: { witnessed?: readonly Checkpoint[]; keys?: ReadonlyMap<string, string> } = {},
): Promise<Verdict> {
  if (!(await lstatOrNull(path))) throw noExport(path, "E_NOT_FOUND", "No file is there.");
  return storing(basename(path), async () => {
    const header = await readHeader(path);
    const body = await readBody(path, header);
    const checkpoints = [...body.checkpoints, ...relevant(options.witnessed ?? [], header)];
    const keys = new Map([...Object.entries(header.public_keys), ...(options.keys ?? [])]);
    const checker = checkpointChecker(checkpoints, keys);
    for (const { seq, hash } of body.seen.values()) checker.see(seq, hash);
    const checked = checker.end(body.broken ? Number.POSITIVE_INFINITY : body.last.seq);
    // An export carries the key of each of its checkpoints; one without was given another key's name.
    const unsigned = body.checkpoints.filter(({ key_id }) => !keys.has(key_id));
    const strange = unsigned.map(({ seq }) =>
      checkpointFinding(Number(seq) || 0, "name a key that is not in it"),
    );
    const findings = [
      ...(body.broken ? [body.broken] : []),
      ...checked.findings,
      ...strange,
      ...body.findings,
    ];
    return {
      ok: findings.length === 0,
      events: body.events,
      head: body.last,
      checkpoints: checked.tally,
      redacted: 0,
      findings: findings.sort((a, b) => a.seq - b.seq),
    };
  });
}

interface Body {
  last: Head;
  events: number;
  broken?: Finding;
  checkpoints: Checkpoint[];
  findings: Finding[];
  /** The hashes at the places where checkpoints may be. */
  seen: Map<number, Head>;
}

async function readHeader(path: string): Promise<ExportHeader> {
  for await (const text of readLines(path)) {
    const header = parseLine(text)?.ledger;
    if (isHeader(header)) return header;
    break;
  }
  throw noExport(path, "DATA_ERROR", "Its first line is not the header of an export, or was changed.");
}

async function readBody(path: string, header: ExportHeader): Promise<Body> {
  const expected = header.to - header.from + 1;
  const around = fileSurroundings(path, header);
  const body: Body = {
    last: { seq: header.from - 1, hash: header.prev_hash },
    events: 0,
    checkpoints: [],
    findings: [],
    seen: new Map(),
  };
  let number = -1;
  for await (const text of readLines(path)) {
    number++;
    if (number === 0) continue;
    const line = parseLine(text);
    const isCheckpoint = line?.checkpoint !== undefined || (line === undefined && body.events >= expected);
    if (isCheckpoint) readCheckpoint(body, line?.checkpoint);
    else await readEvent(body, asEvent(line?.event, header), around);
  }
  body.broken ??= endOf(body, header);
  if (body.checkpoints.length !== header.checkpoints && body.findings.length === 0) {
    body.findings.push(checkpointFinding(body.last.seq, "are not as many as the file says"));
  }
  return body;
}

async function readEvent(body: Body, event: LedgerEvent | null, around: Surroundings): Promise<void> {
  body.events++;
  if (body.broken) return;
  const broken = await checkNext(body.last, event, around);
  if (broken) body.broken = broken;
  else if (event) {
    body.last = { seq: event.seq, hash: event.hash };
    body.seen.set(event.seq, body.last);
  }
}

function readCheckpoint(body: Body, checkpoint: unknown): void {
  if (checkpoint !== null && typeof checkpoint === "object") body.checkpoints.push(checkpoint as Checkpoint);
  else body.findings.push(checkpointFinding(body.last.seq, "were changed"));
}

// An event of another workspace is not this chain's, however whole it is.
function asEvent(value: unknown, header: ExportHeader): LedgerEvent | null {
  const event = value as LedgerEvent | null | undefined;
  return typeof event === "object" && event?.workspace === header.workspace ? event : null;
}

function endOf(body: Body, header: ExportHeader): Finding | undefined {
  if (body.last.seq < header.to)
    return truncated(body.last.seq, `the file says that it goes on to ${header.to}`);
  if (body.last.seq === header.to) return undefined;
  const seq = header.to + 1;
  return {
    seq,
    kind: "MODIFIED",
    message: `The file says that it ends with event ${header.to}, and goes on.`,
  };
}

function checkpointFinding(seq: number, what: string): Finding {
  return { seq, kind: "CHECKPOINT_MISMATCH", message: `The checkpoints of the file ${what}.` };
}

function relevant(witnessed: readonly Checkpoint[], header: ExportHeader): Checkpoint[] {
  return witnessed
    .filter(({ workspace, seq }) => workspace === header.workspace && seq >= header.from && seq <= header.to)
    .map(({ workspace, seq, hash, at, key_id, signature }) => ({
      workspace,
      seq,
      hash,
      at,
      key_id,
      signature,
    }));
}

// Read a second time, and only when something is wrong.
function fileSurroundings(path: string, header: ExportHeader): Surroundings {
  let index: Promise<{ hashes: Set<unknown>; followed: Set<unknown>; seqs: Set<unknown> }> | undefined;
  const indexed = () => (index ??= indexOf(path));
  return {
    hasHash: async (hash) => (await indexed()).hashes.has(hash),
    isFollowed: async (hash) => (await indexed()).followed.has(hash),
    hasSeq: async (seq) => (await indexed()).seqs.has(seq),
    lastSeq: header.to + 1,
  };
}

async function indexOf(path: string) {
  const index = { hashes: new Set<unknown>(), followed: new Set<unknown>(), seqs: new Set<unknown>() };
  for await (const text of readLines(path)) {
    const line = parseLine(text);
    const event = line?.event as Partial<LedgerEvent> | undefined;
    const checkpoint = line?.checkpoint as Partial<Checkpoint> | undefined;
    if (event) {
      index.hashes.add(event.hash);
      index.followed.add(event.prev_hash);
      index.seqs.add(event.seq);
    } else if (checkpoint) index.followed.add(checkpoint.hash);
  }
  return index;
}

function noExport(path: string, code: "E_NOT_FOUND" | "DATA_ERROR", cause: string): WritError {
  return fail(code, {
    message: `${basename(path)} is no export of a ledger.`,
    cause,
    remediation: "Make one: writ ledger export --out ledger.jsonl",
  });
}
