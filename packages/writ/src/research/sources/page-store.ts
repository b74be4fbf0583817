import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import {
  makeFolder,
  errnoOf,
  lstatOrNull,
  readOrNull,
  sha256Hex,
  storeError,
  storing,
  unsafeLink,
  writeAtomic,
} from "../../platform/index.ts";
import { limits, type SourceId } from "../model.ts";
import { fields, text } from "./json.ts";
import type { Answer, Headers, PlannedRequest } from "./port.ts";

const pagesName = ".writ/research/pages";

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** One answer of a source, as it lies in the page store. */
export interface StoredPage {
  /** What was asked: the name of the file. */
  key: string;
  source: SourceId;
  method: string;
  /** Without credential and without the reader's address. */
  url: string;
  /** The run that fetched it; absent for an estimate. */
  run: string | null;
  at: string;
  headers: Headers;
  body: unknown;
}

/** What a request asks, whoever asks it: SHA-256 over source, method, path, sorted parameters, body and its repetition. */
export function pageKey(source: SourceId, { method, path, query, body, repeat }: PlannedRequest): string {
  const parameters = Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = [source, method, path, new URLSearchParams(parameters).toString(), body ?? ""];
  return sha256Hex([...parts, ...(repeat === undefined ? [] : [repeat])].join("\n"));
}

/** Where a page lies below the folder of pages. */
export function pageFile(folder: string, key: string): string {
  return join(folder, key.slice(0, 2), `${key}.json.gz`);
}

/** A stored page. Throws on what is unreadable, or no page. */
export async function readPage(file: string): Promise<StoredPage> {
  const packed = await readOrNull(file);
  if (!packed) throw new TypeError("no page");
  const bytes = await unpack(packed, { maxOutputLength: limits.responseBytes * 2 });
  const page = fields(JSON.parse(bytes.toString("utf8")));
  if (text(page.key) === null || Number.isNaN(Date.parse(text(page.at) ?? "")) || page.body === undefined)
    throw new TypeError("no page");
  return page as unknown as StoredPage;
}

/** The answer a page holds. */
export function answerOf({ headers, body, at }: StoredPage): Answer {
  return { headers, body, at: new Date(at) };
}

/** The pages of one workspace: answers that somebody paid for. */
export interface PageStore {
  /** Undefined when there is none; one that cannot be read counts as none and is asked for again. */
  read(key: string): Promise<StoredPage | undefined>;
  /** On the disk, whole, before it returns. */
  write(page: StoredPage): Promise<void>;
}

export function openPageStore(folder: string): PageStore {
  return {
    async read(key) {
      try {
        return await readPage(pageFile(folder, key));
      } catch (error) {
        const errno = errnoOf(error);
        if (errno === undefined || errno === "ENOENT" || errno === "ENOTDIR") return undefined;
        throw storeError(error, pagesName);
      }
    },
    async write(page) {
      const file = pageFile(folder, page.key);
      const bytes = await pack(JSON.stringify(page));
      await storing(pagesName, async () => {
        const part = dirname(file);
        if ((await lstatOrNull(part))?.isSymbolicLink())
          throw unsafeLink(`${pagesName}/${basename(part)}`, "a symbolic link");
        await makeFolder(part);
        await writeAtomic(file, bytes);
      });
    },
  };
}
