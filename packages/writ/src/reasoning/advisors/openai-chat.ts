import { AdvisorFailure, type Adapter, type HttpReply } from "./adapter.ts";
import { jsonOf } from "./http-failure.ts";
import { firstListedBy, requireText, sendJson, under, usageOf, valueOf } from "./json-exchange.ts";

/** Chat completions, as OpenAI, LM Studio, llama.cpp and many servers speak them. */
export const adapter: Adapter = {
  name: "openai-chat",
  version: "1",
  transports: ["api", "local_runtime"],
  sealed: true,

  describe({ advisor, prompt, maxOutputTokens, parameters }) {
    const models_url = under(advisor.address, "/models");
    const { model, credential } = advisor;
    const body = {
      model: model ?? firstListedBy(models_url),
      messages: [{ role: "user", content: prompt }],
      [advisor.max_tokens_field]: maxOutputTokens,
      ...(advisor.json_mode && { response_format: { type: "json_object" } }),
      ...parameters,
    };
    return {
      target: new URL(under(advisor.address, "")).origin,
      method: "POST",
      url: under(advisor.address, "/chat/completions"),
      headers: {
        "content-type": "application/json",
        ...(credential !== undefined && { authorization: `Bearer ${valueOf(credential)}` }),
      },
      env_names: [],
      body: JSON.stringify(body),
      complete: model !== undefined,
      notes: [],
      ...(credential !== undefined && { credential }),
      ...(model === undefined && { models_url }),
      optional: [
        ...(advisor.json_mode ? ["response_format"] : []),
        advisor.max_tokens_field,
        ...Object.keys(parameters),
      ],
      localOnly: advisor.localOnly,
    };
  },

  async exchange(exchange, io) {
    const { reply, note } = await sendJson(exchange, io, { findModel: firstModel });
    const { choices, usage, model } = jsonOf(reply.text) as Completion;
    const message = choices?.[0]?.message;
    if (typeof message?.refusal === "string" && message.refusal !== "")
      throw new AdvisorFailure("empty", "the model refused to answer");
    return {
      text: requireText(contentOf(message?.content), "choices[0].message.content"),
      ...usageOf(usage?.prompt_tokens, usage?.completion_tokens),
      ...(typeof model === "string" && { model }),
      ...(note !== undefined && { note }),
    };
  },
};

interface Completion {
  choices?: { message?: { content?: unknown; refusal?: unknown } }[];
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown };
  model?: unknown;
}

function contentOf(content: unknown): unknown {
  if (content === null) return "";
  if (!Array.isArray(content)) return content;
  return content
    .map((part: { text?: unknown }) => (typeof part?.text === "string" ? part.text : ""))
    .join("");
}

function firstModel({ text }: HttpReply): string | undefined {
  const { data } = jsonOf(text) as { data?: { id?: unknown }[] };
  const ids = Array.isArray(data) ? data.map((one) => one?.id) : [];
  return ids.find((id): id is string => typeof id === "string" && !id.includes("embed"));
}
