import { AdvisorFailure, type Adapter } from "./adapter.ts";
import { jsonOf } from "./http-failure.ts";
import { requireText, sendJson, under, usageOf, valueOf } from "./json-exchange.ts";

/** Messages, as Anthropic speaks them. */
export const adapter: Adapter = {
  name: "anthropic-messages",
  version: "1",
  transports: ["api"],
  sealed: true,

  describe({ advisor, prompt, maxOutputTokens, parameters }) {
    const { credential } = advisor;
    return {
      target: new URL(under(advisor.address, "")).origin,
      method: "POST",
      url: under(advisor.address, "/v1/messages"),
      headers: {
        "content-type": "application/json",
        "anthropic-version": "2023-06-01",
        ...(credential !== undefined && { "x-api-key": valueOf(credential) }),
      },
      env_names: [],
      body: JSON.stringify({
        model: advisor.model ?? "",
        max_tokens: maxOutputTokens,
        messages: [{ role: "user", content: prompt }],
        ...parameters,
      }),
      complete: true,
      notes: [],
      ...(credential !== undefined && { credential }),
      optional: Object.keys(parameters),
      localOnly: advisor.localOnly,
    };
  },

  async exchange(exchange, io) {
    const { reply, note } = await sendJson(exchange, io, { findModel: () => undefined });
    const message = jsonOf(reply.text) as Message;
    if (message.stop_reason === "refusal") throw new AdvisorFailure("empty", "the model refused to answer");
    const text = Array.isArray(message.content)
      ? message.content
          .map((block) => (block?.type === "text" && typeof block.text === "string" ? block.text : ""))
          .join("")
      : undefined;
    const { usage, model } = message;
    const cached = [usage?.cache_creation_input_tokens, usage?.cache_read_input_tokens].filter(
      (count) => typeof count === "number",
    );
    const input =
      typeof usage?.input_tokens === "number"
        ? cached.reduce((sum, count) => sum + count, usage.input_tokens)
        : undefined;
    return {
      text: requireText(text, "content"),
      ...usageOf(input, usage?.output_tokens),
      ...(typeof model === "string" && { model }),
      ...(note !== undefined && { note }),
    };
  },
};

interface Message {
  content?: { type?: unknown; text?: unknown }[];
  stop_reason?: unknown;
  usage?: {
    input_tokens?: unknown;
    output_tokens?: unknown;
    cache_creation_input_tokens?: unknown;
    cache_read_input_tokens?: unknown;
  };
  model?: unknown;
}
