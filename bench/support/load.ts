/**
 * Asks one URL over and over on a few kept connections and prints how many answers came back, as JSON.
 *
 *   node bench/support/load.ts '{"port":4747,"path":"/","headers":{},"connections":16,"seconds":1}'
 *
 * Written on sockets, and a process of its own: a client that costs more than the server would measure itself.
 */
import { connect, type Socket } from "node:net";

interface Load {
  port: number;
  path: string;
  headers: Record<string, string>;
  connections: number;
  seconds: number;
}

const load = JSON.parse(process.argv[2] ?? "{}") as Load;
const head = Object.entries(load.headers).map(([name, value]) => `${name}: ${value}\r\n`);
const request = Buffer.from(
  `GET ${load.path} HTTP/1.1\r\nHost: 127.0.0.1:${load.port}\r\n${head.join("")}\r\n`,
);
const endOfHead = Buffer.from("\r\n\r\n");
let answers = 0;
let over = false;

function ask(socket: Socket): void {
  if (over) socket.destroy();
  else socket.write(request);
}

function open(): void {
  const socket = connect(load.port, "127.0.0.1", () => ask(socket));
  socket.setNoDelay(true);
  let pending = Buffer.alloc(0);
  let missing = -1;
  socket.on("data", (bytes) => {
    if (missing < 0) {
      pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
      const end = pending.indexOf(endOfHead);
      if (end < 0) return;
      missing = bodyLength(pending.toString("latin1", 0, end)) - (pending.length - end - endOfHead.length);
      pending = Buffer.alloc(0);
    } else missing -= bytes.length;
    if (missing > 0) return;
    missing = -1;
    answers++;
    ask(socket);
  });
  socket.on("error", (error) => {
    if (!over) throw error;
  });
}

function bodyLength(text: string): number {
  if (!text.startsWith("HTTP/1.1 200 ")) throw new Error(`The server answered: ${text.split("\r\n", 1)[0]}`);
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  if (length === undefined) throw new Error("The server names no length.");
  return Number(length);
}

for (let i = 0; i < load.connections; i++) open();
setTimeout(() => {
  over = true;
  console.log(JSON.stringify({ perSecond: answers / load.seconds }));
  process.exit(0);
}, load.seconds * 1000);
