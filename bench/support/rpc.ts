import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Place } from "./writ.ts";

/** A client of an MCP server on standard input and output that does nothing but ask. */
export interface Rpc extends AsyncDisposable {
  ask(method: string, params?: object): Promise<Record<string, unknown>>;
}

/** Starts a server and shakes hands with it. Bare lines: a client that checks schemas would measure itself. */
export async function speakMcp(args: readonly string[], place: Place): Promise<Rpc> {
  const child = spawn(process.execPath, args, { ...place, stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map<number, (answer: Record<string, unknown>) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const answer = JSON.parse(line) as { id?: number; result?: Record<string, unknown>; error?: unknown };
    if (answer.error) throw new Error(`The server answered: ${line}`);
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer.result ?? {});
  });
  let next = 0;
  const send = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask: Rpc["ask"] = (method, params = {}) => {
    const id = ++next;
    send({ id, method, params });
    return new Promise((resolve) => {
      waiting.set(id, (answer) => {
        waiting.delete(id);
        resolve(answer);
      });
    });
  };
  const clientInfo = { name: "writ-bench", version: "1" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  return { ask, [Symbol.asyncDispose]: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.stdin?.end();
  await exited;
}
