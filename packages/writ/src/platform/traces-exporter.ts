import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Traced, TracesTo } from "./traces.ts";

/** Sends traces by OTLP over HTTP, in batches. */
export interface Exporter {
  give(traced: Traced): void;
  close(): Promise<void>;
}

/** Makes the exporter. Headers, compression and certificates are read by the packages from their own variables. */
export function createExporter({ url, serviceName, version, timeoutMs }: TracesTo): Exporter {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: timeoutMs });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "writ", "service.version": version })
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector] }))
      .merge(resourceFromAttributes(serviceName ? { "service.name": serviceName } : {})),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer("writ", version);

  function give(traced: Traced, within: Context): void {
    const { name, attributes, outcome, startedAt, endedAt, steps } = traced;
    const span = tracer.startSpan(
      name,
      { kind: kindOf(attributes), attributes, startTime: startedAt },
      within,
    );
    if (outcome.exitCode !== undefined) span.setAttribute("writ.exit_code", outcome.exitCode);
    if (outcome.errorCode !== undefined) {
      span.setAttribute("error.type", outcome.errorCode);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    const inner = trace.setSpan(within, span);
    for (const step of steps) give(step, inner);
    span.end(endedAt);
  }

  return {
    give: (traced) => give(traced, contextOf(traced)),
    close: () => provider.shutdown(),
  };
}

/** Another program's step is its own to send; here it is only what ours belongs to. */
function contextOf({ within }: Traced): Context {
  return within ? trace.setSpanContext(ROOT_CONTEXT, { ...within, isRemote: true }) : ROOT_CONTEXT;
}

function kindOf(attributes: Record<string, string>): SpanKind {
  const surface = attributes["writ.surface"];
  return surface === "http" || surface === "mcp" ? SpanKind.SERVER : SpanKind.INTERNAL;
}
