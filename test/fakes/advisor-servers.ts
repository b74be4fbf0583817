import { type FakeServer, type Logged, type Reply, startFake } from "./fake-server.ts";

/** What a fake advisor says, or a reply that is none of its dialect's answers. */
export type Says = { text: string; usage?: boolean; model?: string } | { reply: Reply };

/** Told at each request for an answer, with the brief it came with. */
export type Script = (brief: string, nth: number) => Says;

/** Chat completions, with a list of models, as OpenAI and LM Studio serve them. */
export function openaiChatServer(
  script: Script,
  models: readonly string[] = ["text-embed-1", "chat-1"],
): Promise<FakeServer> {
  let asked = 0;
  return startFake((request) => {
    if (request.path.endsWith("/models"))
      return { body: { object: "list", data: models.map((id) => ({ id })) } };
    if (!request.path.endsWith("/chat/completions")) return { status: 404, body: {} };
    const said = script(briefIn(request), ++asked);
    if ("reply" in said) return said.reply;
    return {
      body: {
        id: "c1",
        object: "chat.completion",
        model: said.model ?? (JSON.parse(request.body) as { model: string }).model,
        choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: said.text } }],
        ...(said.usage && { usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } }),
      },
    };
  });
}

/** The same as llama.cpp serves it: one model, with its own name for the list. */
export function llamacppServer(script: Script): Promise<FakeServer> {
  return openaiChatServer(script, ["model.gguf"]);
}

/** The same as LM Studio serves it: embedding models stand in the list too. */
export function lmstudioServer(script: Script): Promise<FakeServer> {
  return openaiChatServer(script, ["text-embedding-nomic", "qwen"]);
}

/** Messages, as Anthropic serves them. */
export function anthropicMessagesServer(script: Script): Promise<FakeServer> {
  let asked = 0;
  return startFake((request) => {
    if (request.path !== "/v1/messages") return { status: 404, body: {} };
    const said = script(briefIn(request), ++asked);
    if ("reply" in said) return said.reply;
    return {
      body: {
        type: "message",
        role: "assistant",
        model: said.model ?? "m",
        stop_reason: "end_turn",
        content: [
          { type: "thinking", thinking: "…" },
          { type: "text", text: said.text },
        ],
        ...(said.usage && { usage: { input_tokens: 60, cache_read_input_tokens: 40, output_tokens: 20 } }),
      },
    };
  });
}

/** Chat and the list of models, as Ollama serves them. */
export function ollamaServer(script: Script): Promise<FakeServer> {
  let asked = 0;
  return startFake((request) => {
    if (request.path === "/api/tags") {
      return {
        body: {
          models: [
            { name: "nomic-embed-text:latest" },
            { name: "big:cloud" },
            { name: "far:1", remote_host: "https://elsewhere" },
            { name: "near:20b" },
          ],
        },
      };
    }
    if (request.path !== "/api/chat") return { status: 404, body: {} };
    const said = script(briefIn(request), ++asked);
    if ("reply" in said) return said.reply;
    return {
      body: {
        model: said.model ?? (JSON.parse(request.body) as { model: string }).model,
        done: true,
        message: { role: "assistant", content: said.text },
        ...(said.usage && { prompt_eval_count: 100, eval_count: 20 }),
      },
    };
  });
}

function briefIn({ body }: Logged): string {
  return (JSON.parse(body) as { messages: { content: string }[] }).messages[0]?.content ?? "";
}
