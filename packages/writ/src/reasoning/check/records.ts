import { dirname } from "node:path/posix";
import type { Context } from "../../contract/index.ts";
import { canonicalJson } from "../../platform/index.ts";
import type { ReasoningRecord } from "../model/record.ts";
import { Records } from "../records/records.ts";
import { readIndex } from "../store/index-file.ts";
import { recordFile } from "../store/paths.ts";
import { lineOf } from "../store/rebuild.ts";
import { digestOf, readRecord } from "../store/record-bytes.ts";
import { type FoundFile, readFolders, taskFolders } from "../store/read-records.ts";
import type { IndexLine } from "../store/facts.ts";
import type { Finding } from "./finding.ts";
import { ledgerFindings } from "./ledger.ts";
import { replay } from "./replay.ts";

/** Holds every record of the checkout against its index, its chain, the ledger and the rules. */
export async function checkRecords(ctx: Context, root: string): Promise<Finding[]> {
  const { index } = await readIndex(root);
  const lines = index.lines.slice();
  const files = new Map([...readFolders(root, await taskFolders(root))].map((found) => [found.file, found]));
  const findings: Finding[] = [];
  const readable: Readable[] = [];
  const byFile = new Map(lines.map((line) => [recordFile(line), line]));
  // What lies in a folder that is closed to this user is not gone: the folder is named.
  for (const [file, line] of byFile)
    if (!files.has(file) && !files.has(dirname(file)))
      findings.push(error(line.id, "missing", `${file} is gone`));
  for (const found of files.values()) {
    const read = lookAt(found, byFile.get(found.file));
    findings.push(...read.findings);
    if (read.record) readable.push(read.record);
  }
  readable.sort((a, b) => a.record.seq - b.record.seq);
  findings.push(...chainFindings(readable, lines), ...indexFindings(readable, byFile));
  findings.push(
    ...replay(
      readable.map(({ record }) => record),
      { now: ctx.clock.now() },
    ),
  );
  findings.push(...(await ledgerFindings(ctx, { lines, readable })));
  return findings;
}

/** A record that is part of the state, with the digest of its bytes as they lie there. */
interface Readable {
  record: ReasoningRecord;
  digest: string;
}

function error(subject: string, rule: string, message: string): Finding {
  return { check: "records", level: "error", subject, message, rules: [rule] };
}

function lookAt(found: FoundFile, line: IndexLine | undefined): { record?: Readable; findings: Finding[] } {
  const { file, named } = found;
  const subject = named?.id ?? file;
  const read = "cause" in found ? found : readRecord(found.bytes.toString("utf8"));
  if ("cause" in read)
    return { findings: [error(subject, read.cause, `${file} cannot be read (${read.cause})`)] };
  if (!line || "cause" in found)
    return { findings: [error(subject, "not_in_index", `${file} is not in the index`)] };
  const { record } = read;
  const digest = digestOf(found.bytes);
  const findings: Finding[] = [];
  if (digest !== line.digest)
    findings.push(error(line.id, "digest", "its bytes are not those that were written"));
  if (record.id !== line.id || record.seq !== line.seq)
    findings.push(error(line.id, "name", "it is not the record its file name says"));
  // Under another id it would be judged as another record, and so would what refers to it.
  return { record: { record: { ...record, id: line.id, seq: line.seq }, digest }, findings };
}

/** The chain over all records: each names the digest of the one before it. */
function chainFindings(readable: readonly Readable[], lines: readonly IndexLine[]): Finding[] {
  const digests = new Map(lines.map((line) => [line.seq, line.digest]));
  const ids = new Map(lines.map((line) => [line.seq, line.id]));
  const findings: Finding[] = [];
  for (const { record, digest } of readable) {
    const { seq, prev, id } = record;
    const before = seq === 1 ? "0".repeat(64) : digests.get(seq - 1);
    if (before === undefined) findings.push(error(id, "seq", `no record has the sequence ${seq - 1}`));
    else if (before !== prev) {
      // Who still has the bytes it was written with bears witness against the one before it.
      const own = digest !== digests.get(seq);
      findings.push(
        error(
          own ? id : (ids.get(seq - 1) ?? id),
          "prev",
          `the chain is broken between ${seq - 1} and ${seq}`,
        ),
      );
    }
  }
  return findings;
}

/** The index repeats facts of the records; a line that says another thing was changed. */
function indexFindings(readable: readonly Readable[], byFile: ReadonlyMap<string, IndexLine>): Finding[] {
  const records = Records.of(readable.map(({ record }) => record));
  return readable.flatMap(({ record, digest }) => {
    const line = byFile.get(recordFile(record));
    if (!line || line.digest !== digest) return [];
    const { after } = line;
    const computed = { ...lineOf(record, { digest, records }), ...(after !== undefined && { after }) };
    return canonicalJson(computed) === canonicalJson(line)
      ? []
      : [error(record.id, "index", "the index says something else of it")];
  });
}
