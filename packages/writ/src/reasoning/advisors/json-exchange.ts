import { AdvisorFailure, type AdapterIo, type Exchange, type HttpReply } from "./adapter.ts";
import { failureOf } from "./http-failure.ts";

/** The placeholder of a credential, and of a model that is still to be found. */
export const valueOf = (name: string): string => `<value of ${name}>`;
export const firstListedBy = (url: string): string => `<first model listed by ${url}>`;

/**
 * Sends an exchange over HTTP as it was described. A server that refuses an optional part of it is asked once more
 * without that part; nothing else is tried again.
 */
export async function sendJson(
  exchange: Exchange,
  io: AdapterIo,
  { findModel }: { findModel(reply: HttpReply): string | undefined },
): Promise<{ reply: HttpReply; note?: string }> {
  const headers = withSecret(exchange, io);
  const { url = "" } = exchange;
  let body = exchange.body;
  if (exchange.models_url !== undefined)
    body = withModel(body, await askModel(exchange.models_url, { io, headers, findModel }));
  const post = (text: string) => io.http({ url, method: "POST", headers, body: text, signal: io.signal });
  const reply = await post(body);
  if (reply.status >= 200 && reply.status < 300) return { reply };
  const refused =
    reply.status === 400 ? exchange.optional.find((name) => reply.text.includes(name)) : undefined;
  if (refused === undefined) throw failureOf(reply, io.now());
  const again = await post(without(body, refused));
  if (again.status >= 200 && again.status < 300)
    return { reply: again, note: `asked again without ${refused}` };
  throw failureOf(again, io.now());
}

function withSecret(exchange: Exchange, io: AdapterIo): Record<string, string> {
  const { credential, headers } = exchange;
  if (credential === undefined) return headers;
  const secret = io.secret(credential);
  if (secret === undefined || secret === "")
    throw new AdvisorFailure("not_configured", `${credential} is not set`);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace(valueOf(credential), () => secret)]),
  );
}

async function askModel(
  url: string,
  of: { io: AdapterIo; headers: Record<string, string>; findModel(reply: HttpReply): string | undefined },
): Promise<string> {
  const { io, headers, findModel } = of;
  const reply = await io.http({ url, method: "GET", headers, signal: io.signal });
  if (reply.status < 200 || reply.status >= 300) throw failureOf(reply, io.now());
  const model = findModel(reply);
  if (model === undefined)
    throw new AdvisorFailure("unavailable", "the server lists no model that may be used");
  return model;
}

function withModel(body: string, model: string): string {
  return JSON.stringify({ ...(JSON.parse(body) as object), model });
}

function without(body: string, name: string): string {
  const { [name]: _, ...rest } = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify(rest);
}

/** An address without the slash at its end, with a path behind it. */
export const under = (address: string | undefined, path: string): string =>
  `${(address ?? "").replace(/\/+$/, "")}${path}`;

/** Two counts where both are numbers. */
export function usageOf(
  input: unknown,
  output: unknown,
): { usage?: { input_tokens: number; output_tokens: number } } {
  if (typeof input !== "number" || typeof output !== "number") return {};
  return { usage: { input_tokens: input, output_tokens: output } };
}

/** A text that must be there: what is absent is malformed, what says nothing is empty. */
export function requireText(text: unknown, what: string): string {
  if (typeof text !== "string") throw new AdvisorFailure("malformed", `the answer has no ${what}`);
  if (text.trim() === "") throw new AdvisorFailure("empty", "the answer says nothing");
  return text;
}
