import type { Clock } from "../../packages/writ/src/contract/index.ts";
import { systemClock } from "../../packages/writ/src/platform/index.ts";

const duration = /^([+-]?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** The clock of an entry that is never published: it stands at an instant, or runs shifted by a signed duration. */
export function testClock(text: string): Clock {
  const parts = duration.exec(text);
  if (parts) {
    const [days, hours, minutes, seconds] = parts.slice(2).map((part) => Number(part ?? 0));
    const shift = ((((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000;
    return { now: () => systemClock.now() + (parts[1] === "-" ? -shift : shift), isTest: true };
  }
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) throw new Error(`WRIT_TEST_CLOCK is no instant and no duration: ${text}`);
  return { now: () => instant, isTest: true };
}
