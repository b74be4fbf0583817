import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a fake server was sent. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** How a fake answers one request: whole, by hand, or (undefined) never. */
export type Reply =
  | { status?: number; headers?: Record<string, string>; body?: string | object }
  | ((response: ServerResponse) => void)
  | undefined;

export interface HttpFake extends AsyncDisposable {
  url: string;
  received: Received[];
}

/** A real server on loopback that answers as it is told and remembers what it was sent. */
export async function httpFake(reply: (request: Received, nth: number) => Reply): Promise<HttpFake> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const got = { method, path: url, headers, body: Buffer.concat(parts).toString("utf8") };
      received.push(got);
      const said = reply(got, received.length);
      if (said === undefined) return;
      if (typeof said === "function") {
        said(response);
        return;
      }
      const { status = 200, headers: extra = {}, body = "" } = said;
      response.writeHead(status, { "content-type": "application/json", ...extra });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
