import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as OTLP sends it in JSON. */
export interface ReceivedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, unknown>;
  status: { code?: number };
}

export interface OtlpReceiver extends AsyncDisposable {
  /** Value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: ReceivedSpan[];
  /** Attributes of what sent them. */
  resources: Record<string, unknown>[];
  paths: string[];
  /** Everything received, as text. */
  text(): string;
}

interface Value {
  stringValue?: string;
  intValue?: number | string;
}
type Attributes = { key: string; value: Value }[];
type Sent = ReceivedSpan & { attributes: unknown };
interface Request {
  resourceSpans: { resource: { attributes: Attributes }; scopeSpans: { spans: Sent[] }[] }[];
}

const valuesOf = (attributes: Attributes) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

/** A collector that listens on a port of its own and keeps what it is sent. */
export async function otlpReceiver(): Promise<OtlpReceiver> {
  const bodies: string[] = [];
  const got: Pick<OtlpReceiver, "spans" | "resources" | "paths"> = { spans: [], resources: [], paths: [] };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      bodies.push(body);
      got.paths.push(request.url ?? "");
      for (const { resource, scopeSpans } of (JSON.parse(body) as Request).resourceSpans) {
        got.resources.push(valuesOf(resource.attributes));
        for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
          got.spans.push({ ...span, attributes: valuesOf(span.attributes as unknown as Attributes) });
        }
      }
      response.setHeader("Content-Type", "application/json").end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    ...got,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => bodies.join("\n"),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
