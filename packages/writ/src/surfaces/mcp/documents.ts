import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { nearest, toWritError } from "../../contract/index.ts";
import { credentialOf, type McpState } from "./call.ts";

/** Serves the workspace's resources, where there are any. */
export function serveResources(server: Server, state: McpState): void {
  const { resources } = state.deps;
  if (!resources) return;
  server.setRequestHandler("resources/list", (_request, ctx) =>
    asProtocol(ctx, { state }, async (credential) => ({ resources: await resources.list(credential) })),
  );
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/read", (request, ctx) => {
    const { uri } = request.params;
    return asProtocol(ctx, { state, uri }, async (credential) => ({
      contents: [{ uri, ...(await resources.read(uri, credential)) }],
    }));
  });
}

/** Serves the product's guides as prompts, where there are any. */
export function servePrompts(server: Server, state: McpState): void {
  const { prompts } = state.deps;
  if (!prompts) return;
  server.setRequestHandler("prompts/list", async () => ({
    prompts: (await prompts()).map(({ name, title }) => ({ name, title, description: title })),
  }));
  server.setRequestHandler("prompts/get", async (request) => {
    const topics = await prompts();
    const { name } = request.params;
    const topic = topics.find((one) => one.name === name);
    if (topic)
      return {
        description: topic.title,
        messages: [{ role: "user", content: { type: "text", text: topic.text } }],
      };
    const near = nearest(
      name,
      topics.map((one) => one.name),
    );
    const hint = near ? ` The nearest is ${near}.` : "";
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no guide "${name.slice(0, 80)}".${hint}`,
    );
  });
}

/** Resources answer with the protocol's errors, since they have no envelope; the error object goes along. */
async function asProtocol<T>(
  ctx: ServerContext,
  { state, uri = "" }: { state: McpState; uri?: string },
  work: (credential: ReturnType<typeof credentialOf>) => Promise<T>,
): Promise<T> {
  const credential = credentialOf(state.options, ctx);
  try {
    await state.deps.authenticate(credential, { flag: state.deps.root });
    return await work(credential);
  } catch (thrown) {
    const error = toWritError(thrown).toObject();
    if (error.code === "E_NOT_FOUND") throw new ResourceNotFoundError(uri, error.message);
    throw new ProtocolError(ProtocolErrorCode.InternalError, error.message, error);
  }
}
