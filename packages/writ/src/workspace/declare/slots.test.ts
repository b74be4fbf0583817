import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { Slots } from "../../contract/index.ts";
import { readManifest } from "./manifest.ts";
import { documentSchemas } from "./schemas.ts";

const base = "https://github.com";
const writ = "name: x\nschema: writ/1\n";

/** A part with two blocks; `loaded` tells which of their schemas were asked for. */
function owner(): { slots: Slots; loaded: string[] } {
  const loaded: string[] = [];
  const provider = z.strictObject({
    key: z.string(),
    limits: z.strictObject({ day: z.int().optional() }).default({}),
  });
  const http = z.strictObject({ transport: z.literal("http"), url: z.string() });
  const stdio = z.strictObject({ transport: z.literal("stdio"), command: z.string() });
  const slots: Slots = {
    agents: async () => {
      loaded.push("agents");
      return z.strictObject({
        mode: z.enum(["fast", "strict"]).default("fast"),
        providers: z.record(z.string(), provider).default({}),
      });
    },
    brokers: async () => {
      loaded.push("brokers");
      return z.array(z.discriminatedUnion("transport", [http, stdio]));
    },
  };
  return { slots, loaded };
}

async function problemsOf(text: string) {
  const { problems } = await readManifest(`${writ}${text}`, { base, slots: owner().slots });
  return problems.map(({ kind, pointer, line, hint }) =>
    [kind, pointer, line, hint].filter(Boolean).join(" "),
  );
}

describe("WS-17: a block is held against the schema of the part that owns it", () => {
  test.each([
    ["agents: []", "type /agents 3"],
    ["agents:\n  mode: strikt", 'value /agents/mode 4 did you mean "strict"?'],
    ["agents:\n  mod: strict", 'unknown_key /agents/mod 4 did you mean "mode"?'],
    ["agents:\n  providers:\n    p: {}", "missing /agents/providers/p/key 5"],
    ["agents:\n  providers:\n    p: {key: 19}", 'type /agents/providers/p/key 5 key: "19"'],
    [
      "agents:\n  providers:\n    p:\n      key: k\n      limits: {days: 1}",
      'unknown_key /agents/providers/p/limits/days 7 did you mean "day"?',
    ],
    ["brokers:\n  - {transport: htp, url: u}", 'value /brokers/0/transport 4 did you mean "http"?'],
    ["brokers:\n  - {url: u}", "missing /brokers/0/transport 4"],
    [
      "brokers:\n  - {transport: http, command: c, url: u}",
      "unknown_key /brokers/0/command 4 known are transport, url",
    ],
  ])("%s", async (text, problem) => {
    expect(await problemsOf(text)).toEqual([problem]);
  });
  test("its faults stand among all others of the file", async () => {
    expect(await problemsOf("agents: {mode: 1}\nstak: []\n")).toEqual([
      "type /agents/mode 3",
      'unknown_key /stak 4 did you mean "stacks"?',
    ]);
  });
  test("WS-9: free keys are taken out at any depth, and the block is passed on as it was written", async () => {
    const text = `${writ}agents: {x-a: 1, providers: {x-p: {key: k, x-why: 2}}}\n`;
    const { manifest, problems } = await readManifest(text, { base, slots: owner().slots });
    expect(problems).toEqual([]);
    expect(manifest?.blocks).toEqual({ agents: { providers: { "x-p": { key: "k" } } } });
  });
  test("only the schemas of blocks that the file has are loaded", async () => {
    const { slots, loaded } = owner();
    await readManifest(writ, { base, slots });
    await readManifest(`${writ}research: {any: thing}\n`, { base, slots });
    expect(loaded).toEqual([]);
    await readManifest(`${writ}brokers: []\n`, { base, slots });
    expect(loaded).toEqual(["brokers"]);
  });
  test("a block still needs the schema word that introduced it", async () => {
    const { problems } = await readManifest("name: x\nschema: awac/1\nstacks: [core]\nagents: {}\n", {
      base,
      slots: owner().slots,
    });
    expect(problems).toMatchObject([{ kind: "needs_schema", pointer: "/agents" }]);
  });
});

test("WS-6, WS-17: the published schema of workspace.yml holds the blocks as their owners describe them", async () => {
  const { workspace } = await documentSchemas(owner().slots);
  const { properties } = workspace as { properties: Record<string, Record<string, unknown>> };
  expect(properties["agents"]).toMatchObject({
    type: "object",
    additionalProperties: false,
    patternProperties: { "^x-": {} },
    description: "Settings of agents. Since writ/1.",
    properties: { mode: { enum: ["fast", "strict"], default: "fast" } },
  });
  const bare = (await documentSchemas()).workspace as { properties: Record<string, unknown> };
  expect(properties["research"]).toEqual(bare.properties["research"]);
  expect(workspace).toMatchObject({ title: "workspace.yml", required: ["name"] });
});
