import type { JsonSchema } from "../../contract/index.ts";

/** The header that says where a reader was in its stream. */
export const lastEventId: JsonSchema = {
  name: "Last-Event-ID",
  in: "header",
  description:
    "The id of the last event that arrived. The stream goes on behind it, and no second call is made; 204 when nothing follows.",
  schema: { type: "string", pattern: "^[0-9a-f]{32}\\.[0-9]{1,15}$" },
};

/** A body of server-sent events. */
export const events = { "text/event-stream": { schema: { type: "string" } } };

/** Every call can be malformed, unauthenticated, refused or fail inside. */
export const always = [400, 401, 403, 408, 413, 422, 429, 500, 503];

/** These statuses, each with the envelope of a failure. */
export const failures = (statuses: readonly number[]): JsonSchema =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: "#/components/responses/Failure" }]));

const stream: JsonSchema = {
  name: "stream",
  in: "path",
  required: true,
  description: "As in the Content-Location of the answer that was lost.",
  schema: { type: "string", pattern: "^[0-9a-f]{32}$" },
};

/** The rest of a stream whose connection was lost. */
export const streamPath: JsonSchema = {
  get: {
    operationId: "stream.get",
    summary: "Read on in a stream of events whose connection was lost.",
    description:
      "Only by the token or session that made the call. A stream waits 60 s for its reader; then its call is given up. Where events are no longer kept, an event named missed says how many.",
    tags: ["streams"],
    parameters: [stream, { $ref: "#/components/parameters/LastEventId" }],
    responses: {
      200: { description: "Events that end with the envelope.", content: events },
      204: { description: "The stream has ended, and nothing follows that event." },
      ...failures([...always, 404].sort((a, b) => a - b)),
    },
  },
  delete: {
    operationId: "stream.delete",
    summary: "Give the call of a stream up, without waiting.",
    tags: ["streams"],
    parameters: [stream],
    responses: {
      204: { description: "It is given up." },
      ...failures([...always, 404].sort((a, b) => a - b)),
    },
  },
};
