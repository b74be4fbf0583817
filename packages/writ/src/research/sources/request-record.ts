import type { RequestRow } from "../library/runs.ts";
import { addressOf } from "./address.ts";
import type { Attempt } from "./ask.ts";
import type { Cost, Page, PlannedRequest, Remark } from "./port.ts";
import { noTitle } from "./texts.ts";

/** What a call asked and was told, as the library keeps it and as failures tell it. */
export class RequestRecord {
  readonly rows: RequestRow[] = [];
  readonly remarks: Remark[] = [];
  readonly #untitled = new Set<string>();
  readonly #source: string;
  readonly #base: string;
  #pages = 0;
  #works = 0;

  constructor(source: string, base: string) {
    this.#source = source;
    this.#base = base;
  }

  /** Pages that were read, fetched or kept. */
  get pages(): number {
    return this.#pages;
  }

  /** Works that those held. */
  get works(): number {
    return this.#works;
  }

  /** Works that were told without a title. */
  get untitled(): string[] {
    return [...this.#untitled].sort();
  }

  read({ works, remarks, skipped }: Page): void {
    this.#pages += 1;
    this.#works += works.length;
    for (const { where, reason } of skipped) if (reason === noTitle) this.#untitled.add(where);
    for (const remark of remarks) this.remarks.push(remark);
  }

  attempted(request: PlannedRequest, { attempt, status, ms, bytes }: Attempt, at: Date): void {
    this.rows.push({ ...this.#row(request, at), attempt, status, ms, bytes });
  }

  kept(request: PlannedRequest, page: string, at: Date): void {
    this.rows.push({ ...this.#row(request, at), fromStore: true, page });
  }

  /** The last attempt of a request brought a page. */
  answered(
    request: PlannedRequest,
    page: string,
    { costUsd = null, credits = null }: Partial<Nullable<Cost>>,
  ): void {
    const url = addressOf(this.#base, request);
    const row = this.rows.findLast((one) => one.url === url);
    if (row) Object.assign(row, { page, costUsd, credits });
  }

  #row(request: PlannedRequest, at: Date): RequestRow {
    return {
      source: this.#source,
      method: request.method,
      url: addressOf(this.#base, request),
      attempt: null,
      status: null,
      fromStore: false,
      page: null,
      ms: null,
      bytes: null,
      costUsd: null,
      credits: null,
      at,
    };
  }
}

type Nullable<T> = { [name in keyof T]: T[name] | null };
