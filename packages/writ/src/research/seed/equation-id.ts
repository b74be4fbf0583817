import type { Context } from "../../contract/index.ts";

/** The name of an equation that is asked now: `eq-YYYYMMDDTHHMMSS`. */
export function equationId(ctx: Pick<Context, "clock">): string {
  const digits = new Date(ctx.clock.now()).toISOString().replaceAll(/[-:]/g, "");
  return `eq-${digits.slice(0, 15)}`;
}
