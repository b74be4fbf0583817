import type { Context, Progress } from "../../contract/index.ts";

/** The steps that long work goes through, in the words that are shown. */
export type Phase = "plan" | "fetch" | "wait" | "map" | "fold" | "pairs" | "analyse" | "write" | "commit";

type Told = Partial<Omit<Progress, "event" | "run" | "phase">> & { usage?: Record<string, unknown> };

/** Shows how far work is: at once, then at most four times a second, and whenever a phase ends. */
export interface Phases {
  /** Something happened in a phase; a new phase is told at once. */
  tell(phase: Phase, told?: Told): void;
  /** The last word of the phase that was told last, if it was held back. */
  end(): void;
}

const everyMs = 250;

export function createPhases(ctx: Pick<Context, "emit" | "clock">): Phases {
  let last: { phase: Phase; at: number } | undefined;
  let held: { phase: Phase; told: Told } | undefined;
  const send = (phase: Phase, told: Told) => {
    last = { phase, at: ctx.clock.now() };
    held = undefined;
    ctx.emit({ phase, ...told });
  };
  const end = () => {
    if (held) send(held.phase, held.told);
  };
  return {
    tell(phase, told = {}) {
      if (last?.phase !== phase) end();
      if (last?.phase === phase && ctx.clock.now() - last.at < everyMs) held = { phase, told };
      else send(phase, told);
    },
    end,
  };
}
