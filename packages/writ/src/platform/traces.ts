import type { Outcome, Settings, Span } from "../contract/index.ts";
import type { Exporter } from "./traces-exporter.ts";

/** A step that is over, with the steps within it. */
export interface Traced {
  name: string;
  attributes: Record<string, string>;
  /** Milliseconds since 1970, with fractions. */
  startedAt: number;
  endedAt: number;
  outcome: Outcome;
  steps: Traced[];
}

/** Where traces go, and what they are traces of. */
export interface TracesTo {
  url: string;
  serviceName?: string | undefined;
  version: string;
  timeoutMs: number;
}

/** The traces of this process. */
export interface Traces {
  begin(name: string, attributes: Record<string, string>): Span;
  /** Sends what was not sent yet; a receiver that does not answer costs a moment and no failure. */
  close(): Promise<void>;
}

// A command must not wait for a dead receiver as long as a server might.
const sendMs = 2_000;

/**
 * Traces by OpenTelemetry, when its standard variables ask for them; undefined otherwise. The exporter is
 * loaded when the first trace has ended, so a process without these variables loads nothing of it.
 */
export function createTraces(settings: Settings, version: string): Traces | undefined {
  const url = endpointOf(settings);
  if (url === undefined) return undefined;
  const timeoutMs = Number(settings.env("OTEL_EXPORTER_OTLP_TIMEOUT") ?? sendMs) || sendMs;
  const to = { url, serviceName: settings.env("OTEL_SERVICE_NAME"), version, timeoutMs };
  let exporter: Promise<Exporter> | undefined;
  const load = async (): Promise<Exporter> => (await import("./traces-exporter.ts")).createExporter(to);
  const give = (traced: Traced): void => {
    exporter ??= load();
    // Traces are for looking on; that they cannot be kept is no failure of what they show.
    void exporter.then((one) => one.give(traced)).catch(() => {});
  };
  return {
    begin: (name, attributes) => begin({ name, attributes, ended: give }),
    close: async () => {
      await exporter?.then((one) => one.close()).catch(() => {});
    },
  };
}

function begin(of: { name: string; attributes: Record<string, string>; ended(traced: Traced): void }): Span {
  const { name, attributes, ended } = of;
  const startedAt = instant();
  const steps: Traced[] = [];
  let over = false;
  return {
    begin: (inner, more = {}) => begin({ name: inner, attributes: more, ended: (step) => steps.push(step) }),
    end: (outcome) => {
      if (over) return;
      over = true;
      ended({ name, attributes, startedAt, endedAt: instant(), outcome, steps });
    },
  };
}

/** Finer than the clock, and growing also when the clock steps back. */
function instant(): number {
  return performance.timeOrigin + performance.now();
}

function endpointOf(settings: Settings): string | undefined {
  // The specification knows no other word than true.
  if (settings.env("OTEL_SDK_DISABLED")?.toLowerCase() === "true") return undefined;
  if ((settings.env("OTEL_TRACES_EXPORTER") ?? "otlp") !== "otlp") return undefined;
  const base = settings.env("OTEL_EXPORTER_OTLP_ENDPOINT");
  // The one is a whole address, the other what addresses begin with.
  return (
    settings.env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") ?? (base && `${base.replace(/\/$/, "")}/v1/traces`)
  );
}
