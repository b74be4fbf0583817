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
  /** The step of another program that this one is within. */
  within?: RemoteStep;
}

/** A step of another program, as it names it to those it calls. */
export interface RemoteStep {
  traceId: string;
  spanId: string;
  traceFlags: number;
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
  /** `traceparent`: the caller's step, as W3C Trace Context writes it; one that is no such thing is left out. */
  begin(name: string, attributes: Record<string, string>, traceparent?: string): Span;
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
    begin: (name, attributes, traceparent) =>
      begin({ name, attributes, within: remoteStep(traceparent), ended: give }),
    close: async () => {
      await exporter?.then((one) => one.close()).catch(() => {});
    },
  };
}

/** Reads a `traceparent`; of a later version only what the first one knows, as the recommendation asks. */
export function remoteStep(text = ""): RemoteStep | undefined {
  const found = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(text.trim());
  const [, version, traceId = "", spanId = "", flags = "", more] = found ?? [];
  if (!found || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

interface Beginning {
  name: string;
  attributes: Record<string, string>;
  within?: RemoteStep | undefined;
  ended(traced: Traced): void;
}

function begin({ name, attributes, within, ended }: Beginning): Span {
  const startedAt = instant();
  const steps: Traced[] = [];
  let over = false;
  return {
    begin: (inner, more = {}) => begin({ name: inner, attributes: more, ended: (step) => steps.push(step) }),
    end: (outcome) => {
      if (over) return;
      over = true;
      const own = { name, attributes, startedAt, endedAt: instant(), outcome, steps };
      ended(within ? { ...own, within } : own);
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
