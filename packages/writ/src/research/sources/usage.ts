import type { Cost, PlannedRequest, Source } from "./port.ts";

/** What a call asked of a source, and what that cost, as answers tell it. */
export interface Usage {
  source: string;
  /** Requests sent, each with all its attempts. */
  requests: number;
  /** Pages that were in the page store. */
  from_store: number;
  /** When the oldest of those was fetched. */
  oldest_page_at?: string;
  attempts: number;
  cost_usd: number;
  credits: number;
  remaining_usd?: number;
  remaining_credits?: number;
  resets_in_seconds?: number;
  /** Whether a credential was sent; never which. */
  key_used: boolean;
  ms: number;
}

/** Prices in USD by kind of request. */
export type Prices = Partial<Record<PlannedRequest["price"], number>>;

// Sums of prices are sums of integers, so that ten cents are ten cents.
const nano = 1e9;

/** Counts what a call spends, and knows what one more request would cost. */
export class Tally {
  readonly #source: Source;
  readonly #keyUsed: boolean;
  readonly #seen: Prices;
  #requests = 0;
  #fromStore = 0;
  #oldest: Date | undefined;
  #attempts = 0;
  #spent = 0;
  #reserved = 0;
  #credits = 0;
  #left: Cost = {};
  #ms = 0;

  constructor(source: Source, { keyUsed, prices }: { keyUsed: boolean; prices: Prices }) {
    this.#source = source;
    this.#keyUsed = keyUsed;
    this.#seen = { ...prices };
  }

  /** What a request of this kind costs by the last price seen; assumed while none was. */
  price(kind: PlannedRequest["price"]): { usd: number; assumed: boolean } {
    const seen = this.#seen[kind];
    return { usd: seen ?? this.#source.prices[kind], assumed: seen === undefined };
  }

  /** Sets the price of a request aside; false when it would pass the limit. */
  reserve(kind: PlannedRequest["price"], limitUsd: number | undefined): boolean {
    const price = Math.round(this.price(kind).usd * nano);
    if (limitUsd !== undefined && this.#spent + this.#reserved + price > Math.round(limitUsd * nano))
      return false;
    this.#reserved += price;
    return true;
  }

  /** A request is over: what was set aside for it is free again. */
  release(kind: PlannedRequest["price"], reservedUsd: number, ms: number): void {
    this.#reserved -= Math.round(reservedUsd * nano);
    this.#ms += ms;
    this.#requests += 1;
  }

  /** An answer came, or none did; also a refusal says what is left. */
  attempted(told: Cost): void {
    this.#attempts += 1;
    this.#left = { ...this.#left, ...told };
  }

  paid(kind: PlannedRequest["price"], cost: Cost): void {
    if (cost.costUsd !== undefined) {
      this.#spent += Math.round(cost.costUsd * nano);
      this.#seen[kind] = cost.costUsd;
    }
    this.#credits += cost.credits ?? 0;
    this.#left = { ...this.#left, ...cost };
  }

  kept(at: Date): void {
    this.#fromStore += 1;
    if (!this.#oldest || at < this.#oldest) this.#oldest = at;
  }

  get spentUsd(): number {
    return this.#spent / nano;
  }

  /** True when less than a tenth of the day's budget is left. */
  get isLow(): boolean {
    return this.#left.leftShare !== undefined && this.#left.leftShare < 0.1;
  }

  usage(): Usage {
    const { remainingUsd, remainingCredits, resetsInSeconds } = this.#left;
    return {
      source: this.#source.id,
      requests: this.#requests,
      from_store: this.#fromStore,
      ...(this.#oldest && { oldest_page_at: this.#oldest.toISOString() }),
      attempts: this.#attempts,
      cost_usd: this.spentUsd,
      credits: this.#credits,
      ...(remainingUsd !== undefined && { remaining_usd: remainingUsd }),
      ...(remainingCredits !== undefined && { remaining_credits: remainingCredits }),
      ...(resetsInSeconds !== undefined && { resets_in_seconds: resetsInSeconds }),
      key_used: this.#keyUsed,
      ms: this.#ms,
    };
  }
}
