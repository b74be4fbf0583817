import type { Limits } from "../model/settings.ts";

/** What one exchange away from this machine has cost, or an open one may still cost. */
export interface Spending {
  task: string;
  /** The UTC day, as YYYY-MM-DD. */
  day: string;
  tokens: number;
  /** In dollars; absent where the model has no price. */
  usd?: number;
}

/** A ceiling, what of it is used, and how much is left. */
export interface Ceiling {
  window: keyof Limits;
  used: number;
  limit: number;
}

const windows = ["tokens_per_task", "tokens_per_day", "usd_per_task", "usd_per_day"] as const;

/** Every declared ceiling with its use. The day is the UTC day. */
export function ceilingsOf(
  spendings: readonly Spending[],
  { limits, task, day }: { limits: Limits; task: string; day: string },
): Ceiling[] {
  return windows.flatMap((window) => {
    const limit = limits[window];
    if (limit === undefined) return [];
    const counted = spendings.filter((one) =>
      window.endsWith("_task") ? one.task === task : one.day === day,
    );
    const used = counted.reduce(
      (sum, { tokens, usd }) => sum + (window.startsWith("tokens") ? tokens : (usd ?? 0)),
      0,
    );
    return [{ window, used, limit }];
  });
}

/** Whether the ceilings leave enough for one more exchange; the detail names the ceiling and its use. */
export function overCeiling(
  ceilings: readonly Ceiling[],
  { briefBytes, price }: { briefBytes: number; price?: Price },
): { reason: "ceiling_reached" | "price_unknown"; detail: string } | undefined {
  const needTokens = tokensOf(briefBytes) + leastAnswerTokens;
  for (const { window, used, limit } of ceilings) {
    const money = window.startsWith("usd");
    if (money && !price)
      return { reason: "price_unknown", detail: `${window} ${limit}, and its model has no price` };
    const need = money ? usdOf(price, { input: needTokens, output: 0 }) : needTokens;
    if (limit - used < need)
      return { reason: "ceiling_reached", detail: `${window} ${limit}, used ${round(used)}` };
  }
  return undefined;
}

/** How many tokens an answer may have at most under the ceilings; undefined where none bounds it. */
export function tokensLeft(
  ceilings: readonly Ceiling[],
  { briefBytes, price }: { briefBytes: number; price?: Price },
): number | undefined {
  const left = ceilings.map(({ window, used, limit }) => {
    if (!window.startsWith("usd")) return limit - used - tokensOf(briefBytes);
    const rest = limit - used - usdOf(price, { input: tokensOf(briefBytes), output: 0 });
    const each = (price?.output_usd_per_mtok ?? 0) / 1e6;
    return each === 0 ? Number.POSITIVE_INFINITY : rest / each;
  });
  const least = Math.min(...left);
  return Number.isFinite(least) ? Math.max(0, Math.floor(least)) : undefined;
}

export interface Price {
  input_usd_per_mtok: number;
  output_usd_per_mtok: number;
}

/** Dollars for tokens; nothing where there is no price. */
export function usdOf(price: Price | undefined, tokens: { input: number; output: number }): number {
  if (!price) return 0;
  return (tokens.input * price.input_usd_per_mtok + tokens.output * price.output_usd_per_mtok) / 1e6;
}

/** The estimate where nothing was reported: four bytes a token. */
const tokensOf = (bytes: number): number => Math.ceil(bytes / 4);

// An answer of less is none.
const leastAnswerTokens = 256;

/** The UTC day of an instant as records have it. */
export const dayOf = (instant: string): string => instant.slice(0, 10);
const round = (n: number): number => Math.round(n * 1e6) / 1e6;
