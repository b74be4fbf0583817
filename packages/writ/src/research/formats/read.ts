import { fail } from "../../contract/index.ts";
import { limits, type Skipped, type SourceWord, type Work } from "../model.ts";
import { decodeText, headOf } from "./decode.ts";
import { detectFormat, headSize } from "./detect.ts";
import { finish } from "./finish.ts";
import { gunzip } from "./gunzip.ts";
import { type Entry, type ImportFormat, importFormats, type Reader } from "./reader.ts";
import { createRemarks, type ImportReport, type Remarks, typed } from "./remarks.ts";

/** A file to import, as the context opens it. */
export interface ImportInput {
  name: string;
  bytes(): AsyncIterable<Uint8Array>;
}

/** A file that is being read: its works as they come, and the report when they have all been taken. */
export interface ImportReading {
  format: ImportFormat;
  source: SourceWord;
  /** To be read once, to its end. Throws E_PARSE, also after works have come: nothing of it counts then. */
  works: AsyncIterable<Work>;
  report(): ImportReport;
}

/**
 * Begins to read a bibliographic file: packed or not, in any encoding and with any line ends, in the format
 * that is said or that its beginning shows. Throws E_FORMAT_UNKNOWN, E_LIMIT, E_PARSE.
 */
export async function readImport(
  input: ImportInput,
  options: { format?: ImportFormat } = {},
): Promise<ImportReading> {
  const remarks = createRemarks(input.name);
  const { head: magic, rest: bytes } = await headOf(input.bytes(), 2);
  const packed = magic[0] === 0x1f && magic[1] === 0x8b;
  const bound = { bytes: Number.POSITIVE_INFINITY };
  const plain = bounded(packed ? gunzip(bytes, input.name) : bytes, bound, input.name);
  const { head, text } = await textHead(decodeText(plain, remarks.oddLine));
  const seen = detectFormat(head);
  const format = options.format ?? seen;
  if (format === undefined) throw unknownFormat(input.name);
  const reader = await loadReader(format);
  if (!reader.unbounded) bound.bytes = limits.importBytes;
  remarks.doubtful = options.format !== undefined && head.trim() !== "" && seen !== format;
  if (remarks.doubtful && seen !== undefined) remarks.looksLike = seen;
  const works = worksOf(reader.read(text, remarks.tell), reader.source, remarks);
  return { format, source: reader.source, works, report: () => remarks.report() };
}

async function loadReader(format: ImportFormat): Promise<Reader> {
  switch (format) {
    case "bibtex":
      return (await import("./read-bibtex.ts")).bibtex;
    case "ris":
      return (await import("./read-ris.ts")).ris;
    case "csl-json":
      return (await import("./read-csl.ts")).csl;
    case "wos":
      return (await import("./read-wos.ts")).wos;
    case "pubmed":
      return (await import("./read-pubmed.ts")).pubmed;
    case "scopus":
      return (await import("./read-scopus.ts")).scopus;
    case "openalex":
      return (await import("./read-openalex.ts")).openalex;
  }
}

async function* worksOf(
  entries: AsyncIterable<Entry>,
  source: SourceWord,
  remarks: Remarks,
): AsyncGenerator<Work> {
  for await (const entry of entries) {
    const work = remarks.take(entry, workIn(entry, source, remarks));
    if (work) yield work;
  }
  remarks.end();
}

function workIn(entry: Entry, source: SourceWord, remarks: Remarks): Work | Skipped | undefined {
  if ("work" in entry) return entry.work;
  if ("bad" in entry) return undefined;
  return finish(source, entry.draft, (code) => remarks.tell(code, remarks.where(entry)));
}

async function* bounded(
  bytes: AsyncIterable<Uint8Array>,
  bound: { bytes: number },
  name: string,
): AsyncGenerator<Uint8Array> {
  let found = 0;
  for await (const chunk of bytes) {
    found += chunk.length;
    if (found > bound.bytes) {
      throw fail("E_LIMIT", {
        message: `${name} is too large for one import.`,
        cause: `At most ${bound.bytes} bytes of this format are read.`,
        remediation: "Divide it into several files and import one after the other.",
        details: { limit: bound.bytes, found },
      });
    }
    yield chunk;
  }
}

/** The beginning of a text, and the whole of it again. */
async function textHead(
  pieces: AsyncIterable<string>,
): Promise<{ head: string; text: AsyncIterable<string> }> {
  const items = pieces[Symbol.asyncIterator]();
  const first: string[] = [];
  let length = 0;
  let over = false;
  while (length < headSize && !over) {
    const next = await items.next();
    if (next.done) over = true;
    else {
      first.push(next.value);
      length += next.value.length;
    }
  }
  const text = async function* () {
    try {
      yield* first.splice(0);
      while (!over) {
        const next = await items.next();
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await items.return?.();
    }
  };
  return { head: first.join("").slice(0, headSize), text: text() };
}

function unknownFormat(name: string) {
  return fail("E_FORMAT_UNKNOWN", {
    message: `The format of ${name} cannot be told.`,
    cause: `Its beginning looks like none of the formats that can be read: ${importFormats.join(", ")}.`,
    remediation: `If it is one of them, say which: writ research seed --from-file ${typed(name)} --format bibtex`,
    details: { formats: importFormats },
  });
}
