import * as z from "zod";
import { capability, fail, nearest } from "../../contract/index.ts";

export default capability({
  id: "guide",
  summary: "Read a short guide, or list the guides there are.",
  description: "Each is Markdown, for a person or their agent. It needs no workspace and no network.",
  input: z.object({
    topic: z
      .string()
      .max(100)
      .optional()
      .meta({ positional: 0 })
      .describe("A guide by name; without it, the list."),
  }),
  output: () =>
    z.object({
      topics: z
        .array(z.object({ topic: z.string(), title: z.string() }))
        .optional()
        .describe("The guides, in the order to read them."),
      topic: z.string().optional().describe("The guide asked for."),
      text: z.string().optional().describe("Its text, Markdown."),
    }),
  need: { effect: "observe", network: "never", workspace: "none" },
  holds: "always",
  errors: ["E_UNKNOWN_TOPIC"],
  examples: [
    { title: "The list of guides", input: {} },
    { title: "From nothing to a composed workspace", input: { topic: "quickstart" } },
  ],
  related: ["schema", "skill add"],
  async run(ctx, { topic }) {
    const topics = await ctx.registered.topics();
    if (topic === undefined) {
      return {
        topics: topics.map(({ name, title }) => ({ topic: name, title })),
        next: topics.slice(0, 1).map(({ name }) => `writ guide ${name}`),
      };
    }
    const found = topics.find(({ name }) => name === topic);
    if (found) return { topic, text: found.text };
    throw unknownTopic(
      topic,
      topics.map(({ name }) => name),
    );
  },
  render: (data, style) =>
    data.text?.trimEnd() ??
    (data.topics ?? []).map(({ topic, title }) => `${style.bold(topic.padEnd(12))} ${title}`).join("\n"),
});

function unknownTopic(topic: string, available: string[]) {
  const near = nearest(topic, available);
  return fail("E_UNKNOWN_TOPIC", {
    message: `There is no guide "${topic.slice(0, 80)}".`,
    cause: `There are ${available.join(", ")}.`,
    remediation: `Name one of them: writ guide ${near ?? available[0] ?? ""}`,
    details: { available, ...(near && { nearest: near }) },
  });
}
