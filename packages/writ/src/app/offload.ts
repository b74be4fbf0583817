import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Call, Envelope } from "../contract/index.ts";

/** What goes to the process of a heavy call. */
export type ToChild =
  | { kind: "call"; call: Omit<Call, "signal" | "emit" | "ask" | "stdin"> }
  | { kind: "cancel" };
/** What comes back from it. */
export type FromChild =
  | { kind: "event"; event: Record<string, unknown> }
  | { kind: "answer"; answer: Envelope };

/**
 * Runs one call in a process of its own, so that minutes of CPU freeze no server. Its events come back as
 * they are emitted; cancelling the call cancels it there.
 */
export function offload(call: Call, entry: URL): Promise<Envelope> {
  const { signal, emit, ask: _ask, stdin: _stdin, ...plain } = call;
  const child = fork(fileURLToPath(entry), { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const send = (message: ToChild): void => void child.send(message);
  const cancel = (): void => send({ kind: "cancel" });
  return new Promise<Envelope>((resolve, reject) => {
    child.on("message", (message: FromChild) => {
      if (message.kind === "event") emit?.(message.event);
      else resolve(message.answer);
    });
    // More than once, where it died while it was being written to.
    child.on("error", reject);
    child.once("exit", (code, killed) =>
      reject(new Error(`the process of ${call.capability} ended: ${killed ?? code}`)),
    );
    signal.addEventListener("abort", cancel, { once: true });
    send({ kind: "call", call: plain });
    if (signal.aborted) cancel();
  }).finally(() => {
    signal.removeEventListener("abort", cancel);
    if (child.connected) child.disconnect();
  });
}
