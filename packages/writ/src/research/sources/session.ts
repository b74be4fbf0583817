import { setTimeout as pause } from "node:timers/promises";
import { type Context, fail } from "../../contract/index.ts";
import type { Access } from "./access.ts";
import { addressOf } from "./address.ts";
import { ask, type Attempt, type Received } from "./ask.ts";
import { Pace } from "./pace.ts";
import { answerOf, pageKey, type PageStore, type StoredPage } from "./page-store.ts";
import type { Answer, Page, PlannedRequest } from "./port.ts";
import type { Phases } from "./progress.ts";
import { RequestRecord } from "./request-record.ts";
import { type Prices, Tally, type Usage } from "./usage.ts";

const day = 24 * 60 * 60 * 1000;
/** How long an answer stands for the same question; a work asked for by its id changes slowly. */
const freshMs = { search: day, citers: day, ids: 30 * day, dois: 30 * day } as const;

export interface SessionOptions {
  access: Access;
  store: PageStore;
  /** The run that asks: its own pages count however old they are. Absent for an estimate. */
  run?: { id: string };
  /** Pages are fresh as of then. */
  asOf: Date;
  offline: boolean;
  refresh: boolean;
  maxCostUsd?: number | undefined;
  /** Prices that were seen last, before this call. */
  prices?: Prices;
  /** The command that goes on after a stop. */
  resume: string;
  phases: Phases;
}

/** An answer, and where it lies; `missing` when a single work is unknown to the source. */
export type Fetched = { key: string; answer: Answer } | { missing: true };

/** One call's dealings with one source: through the page store, within its budget, and on record. */
export class SourceSession {
  readonly access: Access;
  readonly record: RequestRecord;
  readonly #ctx: Context;
  readonly #options: SessionOptions;
  readonly #tally: Tally;
  readonly #pace: Pace;
  /** How many pages are foreseen; for progress. */
  expected = 0;

  constructor(ctx: Context, options: SessionOptions) {
    const { access, prices = {} } = options;
    this.access = access;
    this.record = new RequestRecord(access.source.id, access.base);
    this.#ctx = ctx;
    this.#options = options;
    this.#tally = new Tally(access.source, { keyUsed: access.keyUsed, prices });
    this.#pace = new Pace(access.source.pace.interval * access.backoffMs);
  }

  get phases(): Phases {
    return this.#options.phases;
  }

  get resume(): string {
    return this.#options.resume;
  }

  get offline(): boolean {
    return this.#options.offline;
  }

  usage(): Usage {
    return this.#tally.usage();
  }

  price(kind: PlannedRequest["price"]): { usd: number; assumed: boolean } {
    return this.#tally.price(kind);
  }

  /** A page was read. */
  tellPage(page: Page): void {
    this.record.read(page);
    const { pages } = this.record;
    const { cost_usd, remaining_usd } = this.usage();
    this.phases.tell("fetch", {
      done: pages,
      ...(this.expected > pages && { total: this.expected }),
      usage: { cost_usd, ...(remaining_usd !== undefined && { remaining_usd }) },
    });
  }

  /** The source wants to know who asks, or pages another way. Said once. */
  tellKeyless(): void {
    const { name, credential } = this.access.source;
    this.#ctx.warn({
      code: "W_KEYLESS",
      message: `${name} was asked without a key, page by page: ${credential.about}.`,
      remediation: `writ key set ${credential.name}`,
    });
  }

  /** The stored answer to a request, if it may be used. */
  async kept(request: PlannedRequest): Promise<StoredPage | undefined> {
    const { store, run, asOf, refresh, offline } = this.#options;
    const page = await store.read(pageKey(this.access.source.id, request));
    if (!page) return undefined;
    if (run && page.run === run.id) return page;
    if (offline) return page;
    const since = asOf.getTime() - freshMs[request.want.kind];
    return !refresh && Date.parse(page.at) >= since ? page : undefined;
  }

  /** A page that this call has fetched or found. */
  async stored(key: string): Promise<StoredPage> {
    const page = await this.#options.store.read(key);
    if (page) return page;
    throw fail("STORE_ERROR", {
      message: "A page that was kept a moment ago is gone.",
      cause: "Somebody removed files below .writ/research/pages.",
      remediation: `Run the same command again: ${this.resume}`,
    });
  }

  /** The answer to a request: from the store, else from the source and then in the store. */
  async fetch(request: PlannedRequest, { again = false }: { again?: boolean } = {}): Promise<Fetched> {
    this.#ctx.signal.throwIfAborted();
    const page = again ? undefined : await this.kept(request);
    if (page) {
      this.#tally.kept(new Date(page.at));
      this.record.kept(request, page.key, this.#now());
      return { key: page.key, answer: answerOf(page) };
    }
    if (this.offline) throw offlineMiss(this.resume, 1);
    return this.#ask(request);
  }

  async #ask(request: PlannedRequest): Promise<Fetched> {
    const { maxCostUsd } = this.#options;
    const { source } = this.access;
    const kind = request.price;
    const reserved = this.#tally.price(kind).usd;
    if (!this.#tally.reserve(kind, maxCostUsd)) throw this.#overBudget(request);
    const key = pageKey(source.id, request);
    const began = this.#ctx.clock.now();
    try {
      const received = await ask(this.access, request, {
        signal: this.#ctx.signal,
        now: () => this.#ctx.clock.now(),
        pause: (ms) => this.#wait(ms),
        before: () => this.#wait(this.#pace.take(this.#ctx.clock.now())),
        chance: () => Number.parseInt(this.#ctx.ids.secret(2), 16) / 0xffff,
        attempted: (attempt) => this.#attempted(request, attempt),
        check: (answer) => void source.read({ ...answer, at: this.#now() }, request),
      });
      if (received.status === 404) return { missing: true };
      return { key, answer: await this.#keep(request, { key, received }) };
    } finally {
      this.#tally.release(kind, reserved, this.#ctx.clock.now() - began);
      this.#warnWhenLow();
    }
  }

  async #keep(
    request: PlannedRequest,
    { key, received }: { key: string; received: Received },
  ): Promise<Answer> {
    const { store, run } = this.#options;
    const at = this.#now();
    const { headers, body } = received;
    const source = this.access.source;
    const cost = source.cost(received);
    this.#tally.paid(request.price, cost);
    this.record.answered(request, key, cost);
    const { method } = request;
    await store.write({
      key,
      source: source.id,
      method,
      url: addressOf(this.access.base, request),
      run: run?.id ?? null,
      at: at.toISOString(),
      headers,
      body,
    });
    return { headers, body, at };
  }

  #attempted(request: PlannedRequest, attempt: Attempt): void {
    const { source } = this.access;
    this.#tally.attempted(source.cost({ headers: attempt.headers, body: null }));
    const asked = source.pace.asked?.(attempt.headers);
    // However far apart a source wants its requests: nobody waits longer than they said they would.
    this.#pace.ask(asked === undefined ? undefined : Math.min(asked, this.access.maxWaitMs));
    this.record.attempted(request, attempt, this.#now());
  }

  async #wait(ms: number): Promise<void> {
    if (ms <= 0) return;
    const seconds = Math.ceil(ms / 1000);
    if (ms >= 500) this.phases.tell("wait", { total: seconds, message: `${seconds} s` });
    await pause(ms, undefined, { signal: this.#ctx.signal });
  }

  #warnWhenLow(): void {
    if (!this.#tally.isLow) return;
    this.#ctx.warn({
      code: "W_BUDGET_LOW",
      message: `Less than a tenth of the day's budget at ${this.access.source.name} is left.`,
      remediation: "Ask for less, or wait until midnight UTC.",
    });
  }

  #overBudget(request: PlannedRequest) {
    const { maxCostUsd = 0, resume } = this.#options;
    return fail("E_BUDGET_EXCEEDED", {
      message: `The next request would pass the limit of ${maxCostUsd} USD.`,
      cause: `${this.#tally.spentUsd} USD were spent, and one more costs ${this.#tally.price(request.price).usd} USD.`,
      remediation: `What has arrived is kept. Go on without the limit, or with a higher one: ${resume}`,
      details: { spent_usd: this.#tally.spentUsd, limit_usd: maxCostUsd, resume },
    });
  }

  #now(): Date {
    return new Date(this.#ctx.clock.now());
  }
}

/** What is wanted is not stored, and nothing may be asked. */
export function offlineMiss(resume: string, missing: number) {
  return fail("E_OFFLINE_MISS", {
    message:
      missing === 1
        ? "An answer that is needed is not stored."
        : `${missing} answers that are needed are not stored.`,
    cause: "Offline, no source is asked.",
    remediation: `Run it with a network: ${resume}`,
    details: { missing },
  });
}
