import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import {
  type Call,
  type Envelope,
  envelope,
  nearest,
  type Row,
  type SurfaceDeps,
  toWritError,
} from "../../contract/index.ts";
import type { McpOptions, ToolSet } from "./options.ts";
import { callTool, describe, describeTool, readCall } from "./pair.ts";
import { progressTo } from "./progress.ts";

/** One tools/call, as the protocol gives it. */
export interface ToolCall {
  name: string;
  arguments?: Record<string, unknown> | undefined;
}

/** What the calls of one server share. */
export interface McpState {
  deps: SurfaceDeps;
  options: McpOptions;
  set: ToolSet;
  /** The calls come over a network. */
  remote?: boolean;
  /** Calls under way, so that a server can wait for them when its client has gone. */
  running: Set<Promise<unknown>>;
}

/** Answers one tools/call with the envelope, as structure and as the same JSON in text. */
export async function callOne(state: McpState, call: ToolCall, ctx: ServerContext): Promise<CallToolResult> {
  const given = call.arguments ?? {};
  return toResult(await envelopeOf(state, { name: call.name, given }, ctx));
}

async function envelopeOf(
  state: McpState,
  { name, given }: { name: string; given: Record<string, unknown> },
  ctx: ServerContext,
): Promise<Envelope> {
  const listed = state.set.listed.get(name);
  if (listed) return run(state, { row: listed, input: given, shown: shownBy(state, ctx) }, ctx);
  if (name !== describeTool && name !== callTool) throw unknownTool(state.set, name);
  const command = name.replace("_", " ");
  try {
    // The pair tells what there is to whoever may ask, so it asks for the same credential.
    const shown = shownBy(state, ctx);
    const { admission } = await state.deps.authenticate(shown.credential, shown.where);
    if (name === describeTool) return describe(state.set, given);
    return await run(state, { ...readCall(state.set, given), shown: { ...shown, admission } }, ctx);
  } catch (thrown) {
    return envelope(command, { error: toWritError(thrown).toObject() });
  }
}

/** Who calls, and which workspace it means. */
type Shown = Pick<Call, "credential" | "where" | "admission">;

function shownBy({ deps, options }: McpState, ctx: ServerContext): Shown {
  return { credential: credentialOf(options, ctx), where: { flag: deps.root } };
}

async function run(
  state: McpState,
  { row, input: given, shown }: { row: Row; input: Record<string, unknown>; shown: Shown },
  ctx: ServerContext,
): Promise<Envelope> {
  const { deps } = state;
  const { input, key } = takeKey(row, given, ctx);
  const gone = ctx.http?.req?.signal;
  const emit = progressTo(ctx);
  const traceparent = traceparentOf(ctx);
  const work = deps.execute({
    capability: row.id,
    surface: "mcp",
    input,
    base: deps.root,
    ...(state.remote && { remote: true }),
    ...shown,
    ...(key !== undefined && { idempotencyKey: key }),
    ...(traceparent !== undefined && { traceparent }),
    signal: gone ? AbortSignal.any([ctx.mcpReq.signal, gone]) : ctx.mcpReq.signal,
    ...(emit && { emit }),
  });
  state.running.add(work);
  return work.finally(() => state.running.delete(work));
}

/** The key is the call's and not the capability's input; a client may also give it in _meta. */
function takeKey(row: Row, given: Record<string, unknown>, ctx: ServerContext) {
  const { idempotency_key: argument, ...rest } = given;
  const meta = (ctx.mcpReq._meta as Record<string, unknown> | undefined)?.idempotency_key;
  // Left in the input where it has no meaning, so that it is refused like any unknown field.
  if (typeof argument !== "string" || !row.mutates)
    return { input: given, key: typeof meta === "string" ? meta : undefined };
  return { input: rest, key: argument };
}

/** The caller's step, where it names one: in the call's own _meta, or for the whole request in its header. */
function traceparentOf(ctx: ServerContext): string | undefined {
  const own = (ctx.mcpReq._meta as Record<string, unknown> | undefined)?.traceparent;
  return typeof own === "string" ? own : (ctx.http?.req?.headers.get("traceparent") ?? undefined);
}

/** Over HTTP a caller shows its own token; on standard input it is whoever started the server. */
export function credentialOf(options: McpOptions, ctx: ServerContext): Call["credential"] {
  const { req } = ctx.http ?? {};
  if (!req) return options.credential ?? {};
  const token = /^bearer +([^\s]+)$/i.exec(req.headers.get("authorization") ?? "")?.[1];
  return token === undefined ? {} : { token };
}

function toResult(answer: Envelope): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(answer) }],
    structuredContent: { ...answer },
    isError: !answer.ok,
  };
}

function unknownTool(set: ToolSet, name: string): ProtocolError {
  const hidden = set.offered.get(name);
  const near = nearest(name, [...set.listed.keys(), describeTool, callTool]);
  const hint = hidden
    ? `It is reached through ${callTool} with capability "${hidden.id}".`
    : near
      ? `The nearest is ${near}.`
      : `${describeTool} lists what there is.`;
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool "${name.slice(0, 80)}". ${hint}`,
  );
}
