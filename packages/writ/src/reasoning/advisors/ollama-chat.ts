import { isServedElsewhere } from "../availability/address.ts";
import type { Adapter, HttpReply } from "./adapter.ts";
import { jsonOf } from "./http-failure.ts";
import { firstListedBy, requireText, sendJson, under, usageOf } from "./json-exchange.ts";

/** Chat, as Ollama speaks it. */
export const adapter: Adapter = {
  name: "ollama-chat",
  version: "1",
  transports: ["local_runtime"],
  sealed: true,

  describe({ advisor, prompt, maxOutputTokens, parameters }) {
    const models_url = under(advisor.address, "/api/tags");
    const { model } = advisor;
    return {
      target: new URL(under(advisor.address, "")).origin,
      method: "POST",
      url: under(advisor.address, "/api/chat"),
      headers: { "content-type": "application/json" },
      env_names: [],
      body: JSON.stringify({
        model: model ?? firstListedBy(models_url),
        messages: [{ role: "user", content: prompt }],
        stream: false,
        format: "json",
        options: { num_predict: maxOutputTokens, ...parameters },
      }),
      complete: model !== undefined,
      notes: [],
      ...(model === undefined && { models_url }),
      optional: ["format"],
      localOnly: advisor.localOnly,
    };
  },

  async exchange(exchange, io) {
    const { reply, note } = await sendJson(exchange, io, { findModel: firstLocal });
    const { message, prompt_eval_count, eval_count, model } = jsonOf(reply.text) as Chat;
    return {
      text: requireText(message?.content, "message.content"),
      ...usageOf(prompt_eval_count, eval_count),
      ...(typeof model === "string" && { model }),
      ...(note !== undefined && { note }),
    };
  },
};

interface Chat {
  message?: { content?: unknown };
  prompt_eval_count?: unknown;
  eval_count?: unknown;
  model?: unknown;
}

/** The first that is no embedding model and runs here: a runtime may pass a model on to a machine elsewhere. */
function firstLocal({ text }: HttpReply): string | undefined {
  const { models } = jsonOf(text) as {
    models?: { name?: unknown; remote_host?: unknown; remote_model?: unknown }[];
  };
  const found = (Array.isArray(models) ? models : []).find(
    (one) =>
      typeof one?.name === "string" &&
      !one.name.includes("embed") &&
      !isServedElsewhere(one.name) &&
      one.remote_host === undefined &&
      one.remote_model === undefined,
  );
  return typeof found?.name === "string" ? found.name : undefined;
}
