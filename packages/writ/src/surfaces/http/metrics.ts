/** What the server counts about itself. */
export interface Metrics {
  observe(route: string, status: number, seconds: number): void;
  /** The OpenMetrics text, with the gauges as they are now. */
  print(now: { requests: number; streams: number; streamBytes: number }): string;
}

export const metricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

interface Histogram {
  /** How many fell between a bound and the one before it. */
  counts: number[];
  sum: number;
  count: number;
}

/** Counts requests by route and status, and how long they took; routes are a closed set, so labels are bounded. */
export function createMetrics(): Metrics {
  const totals = new Map<string, Map<number, number>>();
  const durations = new Map<string, Histogram>();

  return {
    observe(route, status, seconds) {
      const statuses = totals.get(route) ?? new Map<number, number>();
      totals.set(route, statuses);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const histogram = durations.get(route) ?? { counts: bounds.map(() => 0), sum: 0, count: 0 };
      durations.set(route, histogram);
      histogram.count++;
      histogram.sum += seconds;
      const i = bounds.findIndex((bound) => seconds <= bound);
      if (i >= 0) histogram.counts[i] = (histogram.counts[i] ?? 0) + 1;
    },
    print: (now) =>
      [
        ...family("writ_http_requests", "counter", "Requests answered, by route and status."),
        ...sorted(totals).flatMap(([route, statuses]) =>
          sorted(statuses).map(
            ([status, n]) => `writ_http_requests_total{route="${route}",status="${status}"} ${n}`,
          ),
        ),
        ...family(
          "writ_http_request_duration_seconds",
          "histogram",
          "Time from the first byte to the answer.",
        ),
        "# UNIT writ_http_request_duration_seconds seconds",
        ...sorted(durations).flatMap(([route, histogram]) => buckets(route, histogram)),
        ...family("writ_http_requests_in_flight", "gauge", "Requests being answered now."),
        `writ_http_requests_in_flight ${now.requests}`,
        ...family("writ_http_streams_open", "gauge", "Event streams open now."),
        `writ_http_streams_open ${now.streams}`,
        ...family(
          "writ_http_stream_bytes",
          "gauge",
          "What event streams keep for slow and returning readers.",
        ),
        "# UNIT writ_http_stream_bytes bytes",
        `writ_http_stream_bytes ${now.streamBytes}`,
        "# EOF",
        "",
      ].join("\n"),
  };
}

function family(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function buckets(route: string, { counts, sum, count }: Histogram): string[] {
  const name = "writ_http_request_duration_seconds";
  let below = 0;
  return [
    ...bounds.map((bound, i) => {
      below += counts[i] ?? 0;
      return `${name}_bucket{route="${route}",le="${bound.toFixed(3)}"} ${below}`;
    }),
    `${name}_bucket{route="${route}",le="+Inf"} ${count}`,
    `${name}_sum{route="${route}"} ${sum}`,
    `${name}_count{route="${route}"} ${count}`,
  ];
}

function sorted<K extends string | number, T>(map: Map<K, T>): [K, T][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
