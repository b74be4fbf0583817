import { PassThrough, type Readable } from "node:stream";
import type { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

/** How long what was asked before the input ended may take; a call that takes longer is cancelled, as its asker has gone. */
const graceMs = 1000;

/** What a client writes, whose end is held back until `release`: a transport that sees the end answers nothing more. */
export function heldBack(input: Readable): { input: Readable; release: () => void } {
  const held = input.pipe(new PassThrough(), { end: false });
  return { input: held, release: () => void held.end() };
}

/** Resolves when every request that has come is answered, or after the grace. Watches a transport that is being served. */
export function answersOf(transport: StdioServerTransport): () => Promise<void> {
  const open = new Set<unknown>();
  let told: (() => void) | undefined;
  const close = (id: unknown) => {
    open.delete(id);
    if (open.size === 0) told?.();
  };
  const { onmessage, send } = transport;
  transport.onmessage = (message) => {
    if ("id" in message && "method" in message) open.add(message.id);
    // A call that was cancelled is not answered.
    else if ("method" in message && message.method === "notifications/cancelled")
      close((message.params as { requestId?: unknown } | undefined)?.requestId);
    onmessage?.call(transport, message);
  };
  transport.send = async (message) => {
    await send.call(transport, message);
    if ("id" in message && !("method" in message)) close(message.id);
  };
  return async () => {
    // What came with the end is read first.
    await new Promise((resolve) => setImmediate(resolve));
    if (open.size === 0) return;
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, graceMs);
      told = () => {
        clearTimeout(late);
        resolve();
      };
    });
  };
}
