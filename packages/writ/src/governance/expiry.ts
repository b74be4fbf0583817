import { fail } from "../contract/index.ts";
import { formatInstant } from "../platform/index.ts";

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** Reads when something ends: a date or an instant, or a time from now such as 30d. RFC 3339 UTC. */
export function parseExpiry(text: string, now: number): string {
  const span = /^(\d{1,5})([mhdw])$/.exec(text);
  const at = span
    ? now + Number(span[1]) * unitMs[span[2] as keyof typeof unitMs]
    : /^\d{4}-\d{2}-\d{2}(T.*)?$/.test(text)
      ? Date.parse(text)
      : Number.NaN;
  if (Number.isFinite(at) && at > now && at < 8.64e15) return formatInstant(at);
  throw fail("E_INVALID_VALUE", {
    message: `--expires cannot be "${text.slice(0, 40)}".`,
    cause: Number.isFinite(at)
      ? "That instant has passed."
      : "It is neither a date, an instant nor a time from now.",
    remediation: "Give a date (2027-01-31) or a time from now (30d, 12h).",
  });
}
