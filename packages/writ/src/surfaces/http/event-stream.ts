/** A response of server-sent events that is being written. */
export interface EventStream {
  response: Response;
  send(event: string, data: unknown): void;
  end(): void;
}

interface StreamOptions {
  /** What may wait for the reader; above it the reader has lost the stream. */
  bytes: number;
  keepAliveMs: number;
  /** The reader left, or was cut off. Called once, unless the stream came to its end. */
  onLost(): void;
  /** Cuts the connection of a reader that does not read; absent where there is no connection. */
  cut?: (() => void) | undefined;
}

const encoder = new TextEncoder();

/**
 * Opens a stream of server-sent events whose buffer is bounded: a writer never waits for a reader, and a
 * reader that falls behind loses the stream rather than the server its memory.
 */
export function openEventStream(options: StreamOptions): EventStream {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let open = true;
  let count = 0;

  function close(how: "lost" | "ended"): void {
    if (!open) return;
    open = false;
    clearInterval(heartbeat);
    if (how === "lost") options.onLost();
  }
  function write(text: string): void {
    if (!open) return;
    // Asked before writing: one large event may pass, a second one behind it may not.
    if ((controller.desiredSize ?? 0) > 0) return controller.enqueue(encoder.encode(text));
    close("lost");
    if (options.cut) options.cut();
    else controller.error(new Error("the reader of this stream fell behind"));
  }

  // A reader that vanished without a word is noticed by writing to it.
  const heartbeat = setInterval(() => write(": still here\n\n"), options.keepAliveMs);
  heartbeat.unref();
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
      },
      cancel: () => close("lost"),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: options.bytes }),
  );
  return {
    response: new Response(body, {
      headers: {
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-store",
        "X-Accel-Buffering": "no",
      },
    }),
    send: (event, data) => write(`id: ${++count}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => {
      if (!open) return;
      close("ended");
      controller.close();
    },
  };
}
