import type { Context } from "../../contract/index.ts";
import type { Answer } from "../model/bodies.ts";
import type { Plan } from "../model/plan.ts";
import type { RecordOf } from "../model/record.ts";
import type { ExchangeStatus } from "../model/words.ts";
import type { Exchange } from "../advisors/adapter.ts";
import { digestOf } from "../store/record-bytes.ts";

/** What became of one selected advisor in this call. */
export interface Result {
  advisor: string;
  state: "answered" | "failed" | "pending" | "skipped" | "existing" | "planned";
  dispatch?: string;
  consultation?: string;
  status?: ExchangeStatus;
  answer?: Answer;
  diagnostic?: string;
  reason?: string;
  refusal?: { code: string; message: string };
  exchange?: ShownExchange;
}

export type ShownExchange = ReturnType<typeof shownExchange>;

/** The exact bytes and address of an exchange, as a dry run shows them. */
export function shownExchange(exchange: Exchange) {
  const { target, method, url, headers, argv, env_names, cwd, body, complete, notes } = exchange;
  return {
    target,
    ...(method !== undefined && { method }),
    ...(url !== undefined && { url }),
    headers,
    ...(argv && { argv }),
    env_names,
    ...(cwd !== undefined && { cwd }),
    body,
    body_bytes: Buffer.byteLength(body),
    body_sha256: digestOf(body),
    complete,
    notes,
  };
}

/** The answer of a consultation. */
export interface Consulted {
  [field: string]: unknown;
  assessment: string;
  plan: Partial<Plan> & { id?: string };
  outcome: Plan["outcome"];
  local_review: Plan["local_review"];
  results: Result[];
  usage: { input_tokens: number; output_tokens: number };
  cancelled: boolean;
  changed: boolean;
  next?: string[];
}

export function consulted(
  assessment: string,
  of: {
    plan: Plan;
    id?: string;
    results?: Result[];
    ends?: readonly RecordOf<"consultation">[];
    cancelled?: boolean;
    changed: boolean;
  },
): Consulted {
  const { plan, id, results = [], ends = [], cancelled = false, changed } = of;
  const sum = (field: "input_tokens" | "output_tokens") =>
    ends.reduce((total, { body }) => total + (body.usage?.[field] ?? 0), 0);
  return {
    assessment,
    plan: { ...(id !== undefined && { id }), ...plan },
    outcome: plan.outcome,
    local_review: plan.local_review,
    results,
    usage: { input_tokens: sum("input_tokens"), output_tokens: sum("output_tokens") },
    cancelled,
    changed,
  };
}

/** What the caller should hear of beside the results. */
export function warnOfResults(ctx: Context, { plan, results }: Pick<Consulted, "plan" | "results">): void {
  for (const { advisor, status, diagnostic, state } of results) {
    if (state !== "failed") continue;
    ctx.warn({
      code: "W_ADVISOR_FAILED",
      message: `${advisor} gave no answer: ${[status, diagnostic].filter(Boolean).join(", ")}.`,
      remediation: "It is recorded; a conclusion needs no answer of it.",
    });
  }
  for (const { capability, cause } of plan.uncovered ?? []) {
    ctx.warn({
      code: "W_UNCOVERED_CAPABILITY",
      message: `Nobody who is asked covers ${capability} (${cause}).`,
      remediation: "See who could: writ reasoning advisors",
    });
  }
  const owed = results.filter(({ state, reason }) => state === "skipped" && reason !== "waived");
  if (owed.length === 0) return;
  ctx.warn({
    code: "W_REVIEW_DEBT",
    message: `Selected and not asked: ${owed.map(({ advisor, reason }) => `${advisor} (${reason ?? ""})`).join(", ")}.`,
    remediation: "Ask again later, or record a waiver with a reason.",
  });
}
