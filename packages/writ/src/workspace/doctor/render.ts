import type { Style } from "../../contract/index.ts";
import type { Report } from "./report.ts";

/** The report for people: a line a check, the worst in colour, and a count. */
export function renderReport({ checks, summary }: Report, style: Style): string {
  const width = Math.max(0, ...checks.map(({ id }) => id.length));
  const told = Math.min(
    60,
    Math.max(0, ...checks.filter(({ remediation }) => remediation).map(({ message }) => message.length)),
  );
  const colour = {
    ok: style.green,
    info: style.dim,
    warn: style.yellow,
    fail: style.red,
    skipped: style.dim,
  };
  const lines = checks.map(({ id, status, message, remediation, fixed }) => {
    const text = fixed ? `${message} (fixed)` : message;
    const help = remediation === undefined || fixed ? "" : `   ${remediation}`;
    const word = status === "skipped" ? "skip" : status;
    return `${colour[status](word.padEnd(4))}  ${id.padEnd(width)}  ${help === "" ? text : text.padEnd(told)}${help}`.trimEnd();
  });
  const counts = [
    [summary.fail, "failed"],
    [summary.warn, summary.warn === 1 ? "warning" : "warnings"],
    [summary.fixed, "fixed"],
    [summary.ok, "ok"],
  ] as const;
  return [
    ...lines,
    counts
      .filter(([count, word]) => count > 0 || word === "ok")
      .map(([count, word]) => `${count} ${word}`)
      .join(", "),
  ].join("\n");
}
