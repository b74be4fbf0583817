import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isLoopback } from "../availability/address.ts";
import { bounds } from "../model/bounds.ts";
import { AdvisorFailure, type HttpPort, type HttpReply } from "./adapter.ts";

const connectMs = 10_000;

/** The way to a server: certificates are checked, no redirect is followed, a proxy is used except to loopback. */
export function createHttpPort(environment: Readonly<Record<string, string | undefined>>): HttpPort {
  return (ask) =>
    new Promise((resolve, reject) => {
      const url = new URL(ask.url);
      const local = isLoopback(url.hostname);
      const secure = url.protocol === "https:";
      // Without an agent of its own a connection would be kept, and the process with it.
      const options = { keepAlive: false, ...(!local && { proxyEnv: environment }) };
      const body = ask.body === undefined ? undefined : Buffer.from(ask.body);
      const call = secure ? httpsRequest : httpRequest;
      const request = call(url, {
        method: ask.method,
        headers: { ...ask.headers, ...(body && { "content-length": String(body.length) }) },
        agent: secure ? new HttpsAgent(options) : new HttpAgent(options),
        signal: ask.signal,
        ...(url.hostname === "localhost" && { lookup: lookupHere }),
      });
      const timer = setTimeout(() => request.destroy(unreachable(url)), connectMs);
      request.once("socket", (socket) => {
        const done = () => clearTimeout(timer);
        if (socket.connecting) socket.once(secure ? "secureConnect" : "connect", done);
        else done();
      });
      request.once("close", () => clearTimeout(timer));
      request.once("error", (error) => reject(error instanceof AdvisorFailure ? error : unreachable(url)));
      request.once("response", (response) => {
        readReply(response).then(resolve, (error: unknown) => {
          request.destroy();
          reject(error instanceof AdvisorFailure ? error : unreachable(url));
        });
      });
      request.end(body);
    });
}

function unreachable(url: URL): AdvisorFailure {
  return new AdvisorFailure("unavailable", `${url.hostname} could not be reached`);
}

// No resolver is asked where this machine's own name leads.
function lookupHere(
  _name: string,
  options: { all?: boolean },
  done: (error: null, found: string | { address: string; family: number }[], family?: number) => void,
): void {
  const both = [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ];
  if (options.all) done(null, both);
  else done(null, "127.0.0.1", 4);
}

async function readReply(response: IncomingMessage): Promise<HttpReply> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response) {
    size += (part as Buffer).length;
    if (size > bounds.answerBytes)
      throw new AdvisorFailure("malformed", `the answer is above ${bounds.answerBytes} bytes`);
    parts.push(part as Buffer);
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
  return { status: response.statusCode ?? 0, headers, text: Buffer.concat(parts).toString("utf8") };
}
