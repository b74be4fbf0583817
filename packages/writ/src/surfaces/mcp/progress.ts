import type { ServerContext } from "@modelcontextprotocol/server";
import type { Call, Progress } from "../../contract/index.ts";

// A client that does not read must not make the server hold more than this, about half a megabyte a call.
const MOST = 1000;
const MOST_CHARACTERS = 500;

/** Where the progress of a call goes; undefined when its client asked for none. */
export function progressTo(ctx: ServerContext): Call["emit"] {
  const token = ctx.mcpReq._meta?.progressToken;
  if (token === undefined) return undefined;
  let sent = 0;
  return (event) => {
    if (sent >= MOST || ctx.mcpReq.signal.aborted) return;
    // The protocol wants a number that only grows, and phases count anew; the words carry the rest.
    const params = {
      progressToken: token,
      progress: ++sent,
      message: wordsOf(event).slice(0, MOST_CHARACTERS),
    };
    void ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}

function wordsOf(event: Progress | Record<string, unknown>): string {
  if (event.event !== "progress") return JSON.stringify(event);
  const { phase, item, done, total, message } = event as Progress;
  const counted = done === undefined ? undefined : total === undefined ? `${done}` : `${done} of ${total}`;
  return [phase, item, counted, message].filter((word) => word !== undefined).join(" ");
}
