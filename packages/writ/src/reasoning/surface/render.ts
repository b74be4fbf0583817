import type { Style } from "../../contract/index.ts";
import { counted } from "../../platform/index.ts";
import type { Step } from "../derive/timeline.ts";
import { quoted, short } from "../derive/words.ts";
import type { AdvisorState, Plan } from "../model/plan.ts";
import { nextLines, recordLines, type ShownRecord } from "./render-record.ts";

interface Next {
  next?: string[] | undefined;
  reason?: string | undefined;
}

interface Mode {
  mode: string;
  source: string;
}

export function renderAdvisors(
  data: {
    mode: Mode;
    available: number;
    unavailable: number;
    advisors: AdvisorState[];
    capacity: { capability: string; available: string[] }[];
  },
  style: Style,
): string {
  const width = Math.max(0, ...data.advisors.map(({ id }) => id.length));
  const rows = data.advisors.map((one) => {
    const status = one.status === "available" ? style.green(one.status) : style.dim(one.status);
    const until = one.circuit ? ` until ${one.circuit.until}` : "";
    const again = one.recovering ? " (recovering)" : "";
    return `  ${one.id.padEnd(width)}  ${status}  ${one.transport}  ${one.reason}${again}${until}`;
  });
  const capacity = data.capacity.map(
    ({ capability, available }) =>
      `  ${capability.padEnd(24)}  ${available.join(", ") || style.dim("local review")}`,
  );
  return [
    `${style.bold("Reasoning")}  operational; mode ${data.mode.mode} (${data.mode.source})`,
    `${style.bold("Advisors")}   ${data.available} available, ${data.unavailable} optional, not available`,
    ...rows,
    style.bold("Capacity"),
    ...capacity,
  ].join("\n");
}

export function renderPlan(plan: Partial<Plan>, style: Style): string {
  const lines = [`${style.bold(plan.outcome ?? "")}  ${plan.reason ?? ""}`];
  for (const one of plan.selected ?? [])
    lines.push(`  ask ${one.advisor}  ${one.covers.join(", ")}  (${one.why})`);
  for (const one of plan.excluded ?? []) lines.push(style.dim(`  not ${one.advisor}  ${one.code}`));
  for (const one of plan.uncovered ?? [])
    lines.push(style.yellow(`  nobody covers ${one.capability} (${one.cause})`));
  for (const [i, one] of (plan.local_review ?? []).entries()) lines.push(`  ${i + 1}. ${one.text}`);
  return lines.join("\n");
}

function renderSteps(steps: readonly Step[], style: Style): string[] {
  return steps.map(({ seq, phase, summary, quote }) => {
    const line = `${String(seq).padStart(4)}  ${phase.padEnd(16)}  ${summary}`;
    const said = quote && quoted(quote.origin.replace(/^advisor:/, ""), quote.text);
    return said === undefined ? line : `${line}\n${style.dim(`      ${said}`)}`;
  });
}

export function renderStatus(
  data: { state: { timeline: Step[] }; report: string; mode: Mode; view: "report" | "all" } & Next,
  style: Style,
): string {
  const report = data.report.trimEnd() || style.dim(data.reason ?? "Nothing was recorded on this task.");
  if (data.view === "report") return report;
  const steps = renderSteps(data.state.timeline, style);
  return paragraphs(steps, [report], nextLines(data.next, style));
}

/** A record whole, the assessment it belongs to, and everything recorded on that. */
export function renderChain(
  data: {
    record: ShownRecord;
    assessment?: ShownRecord | undefined;
    chain: Step[];
    reuses?: { conclusion: ShownRecord; chain: Step[] } | undefined;
    attestation?: Record<string, unknown> | undefined;
  } & Next,
  style: Style,
): string {
  const { record, assessment, chain, reuses, attestation, reason, next } = data;
  if (attestation) return JSON.stringify(attestation, null, 2);
  const subject = assessment?.body.subject;
  return paragraphs(
    recordLines(record, style),
    assessment && assessment.id !== record.id
      ? [`${style.bold("On")}  ${short(String(subject), 140)} (${assessment.id})`]
      : [],
    renderSteps(chain, style),
    reuses
      ? [
          style.bold("It rests on"),
          ...recordLines(reuses.conclusion, style),
          ...renderSteps(reuses.chain, style),
        ]
      : [],
    [...(reason === undefined ? [] : [reason]), ...nextLines(next, style)],
  );
}

const paragraphs = (...groups: string[][]): string =>
  groups
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");

export function renderRecorded(
  data: {
    record: { id: string };
    path?: string | undefined;
    step: Step;
    changed?: boolean | undefined;
  } & Next,
  style: Style,
): string {
  const { record, path, step, changed, reason, next } = data;
  const said =
    changed === false
      ? [`${style.green("ok")}  Nothing new: ${record.id} says the same.`]
      : [
          `${style.green("ok")}  ${path === undefined ? "It would be recorded." : `${record.id}   ${path}`}`,
          `${step.phase}  ${step.summary}`,
        ];
  return [...said, ...(reason === undefined ? [] : [reason]), ...nextLines(next, style)].join("\n");
}

export function renderCheck(
  data: {
    checks: { name: string; status: string; reason?: string | undefined }[];
    findings: { check: string; level: string; subject: string; message: string; at?: string | undefined }[];
    retired: string[];
  },
  style: Style,
): string {
  const rows = data.checks.map(({ name, status, reason }) => {
    const word =
      status === "ok" ? style.green("ok  ") : status === "skipped" ? style.dim("skip") : style.red(status);
    return `${word}  ${name}${reason === undefined ? "" : `  ${style.dim(reason)}`}`;
  });
  const found = data.findings.map(({ level, check, subject, message, at }) => {
    const colour = level === "error" ? style.red : style.yellow;
    return `${colour(level)}  ${check}: ${subject}: ${message}${at === undefined ? "" : ` (${at})`}`;
  });
  const old = counted(data.retired.length, "consultation");
  const retired =
    data.retired.length === 0 ? [] : [style.dim(`${old} of advisors that are declared no more`)];
  return [...rows, ...found, ...retired].join("\n");
}

export function renderConsult(
  data: {
    plan: Partial<Plan>;
    results: {
      advisor: string;
      state: string;
      status?: string | undefined;
      reason?: string | undefined;
      diagnostic?: string | undefined;
      answer?: { stance: string; conclusion: string } | undefined;
      exchange?: { target: string; body_bytes: number; body: string; notes: string[] } | undefined;
    }[];
  } & Next,
  style: Style,
): string {
  const lines = [renderPlan(data.plan, style)];
  for (const one of data.results) {
    const why = [one.status, one.reason, one.diagnostic].filter(Boolean).join(", ");
    lines.push(`${style.bold(one.advisor)}  ${one.state}${why && `  ${why}`}`);
    if (one.answer) {
      lines.push(`  ${one.answer.stance}`, style.dim(`  ${quoted(one.advisor, one.answer.conclusion)}`));
    }
    if (one.exchange) {
      lines.push(`  to ${one.exchange.target}, ${one.exchange.body_bytes} bytes:`, one.exchange.body);
      lines.push(...one.exchange.notes.map((note) => style.yellow(`  ${short(note, 300)}`)));
    }
  }
  return [...lines, ...nextLines(data.next, style)].join("\n");
}
