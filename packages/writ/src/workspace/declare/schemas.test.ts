import * as z from "zod";
import { describe, expect, test } from "vitest";
import { LockSchema } from "./model/lock-schema.ts";
import { sinceTable } from "./model/since.ts";
import { StackSchema } from "./model/stack-schema.ts";
import { WorkspaceSchema } from "./model/workspace-schema.ts";
import { documentSchemas } from "./schemas.ts";
import { readStackManifest } from "./stack-manifest.ts";

const schemas = await documentSchemas();
type Node = { properties?: Record<string, Node>; [key: string]: unknown };

describe("WS-6, WS-127: the published schemas", () => {
  test("are draft 2020-12, titled, and hold no reference to anything outside", () => {
    for (const schema of Object.values(schemas)) {
      expect(schema).toMatchObject({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
      });
    }
    expect(JSON.stringify(schemas)).not.toContain('"$ref":"http');
  });
  test("stack and awac are one", () => {
    expect(schemas.stack).toBe(schemas.awac);
  });
  test("have the keys of the objects that the code reads with", () => {
    const keys = (schema: unknown) => Object.keys((schema as Node).properties ?? {});
    expect(keys(schemas.workspace)).toEqual(Object.keys(WorkspaceSchema.shape));
    expect(keys(schemas.stack)).toEqual(Object.keys(StackSchema.shape));
    expect(keys(schemas.lock)).toEqual(Object.keys(LockSchema.shape));
  });
  test("WS-9: workspace.yml is closed but for x-; awac.yml is open; the lock is closed", () => {
    expect(schemas.workspace).toMatchObject({
      additionalProperties: false,
      patternProperties: { "^x-": {} },
    });
    expect(schemas.stack).not.toHaveProperty("additionalProperties");
    expect(schemas.lock).toMatchObject({ additionalProperties: false });
    expect(schemas.lock).not.toHaveProperty("patternProperties");
  });
  test("WS-13: what a file must have depends on its schema word", () => {
    expect(schemas.workspace).toMatchObject({
      required: ["name"],
      anyOf: [
        { properties: { schema: { const: "writ/1" }, name: { maxLength: 63 } }, required: ["schema"] },
        { properties: { stacks: { minItems: 1 } }, required: ["stacks"] },
      ],
    });
  });
  test("describe every field of workspace.yml and awac.yml", () => {
    for (const schema of [schemas.workspace, schemas.stack] as unknown as Node[]) {
      for (const node of Object.values(schema.properties ?? {}))
        expect(node["description"]).toBeTypeOf("string");
    }
  });
});

test("WS-12: every field of the since table is a field of the schema", () => {
  for (const { at } of sinceTable) {
    const [, first = ""] = at.split("/");
    expect(Object.keys(WorkspaceSchema.shape)).toContain(first);
  }
});

describe("WS-6: what the code accepts, the published schema accepts", () => {
  // The reader of JSON Schemas used here knows no alternatives beside properties; those are checked above.
  const { anyOf: alternatives, ...workspace } = schemas.workspace;
  const published = {
    workspace: z.fromJSONSchema(workspace as z.core.JSONSchema.JSONSchema),
    stack: z.fromJSONSchema(schemas.stack as z.core.JSONSchema.JSONSchema),
    lock: z.fromJSONSchema(schemas.lock as z.core.JSONSchema.JSONSchema),
  };
  const read = {
    workspace: (value: unknown) => WorkspaceSchema.safeParse(value).success,
    stack: (value: unknown) => readStackManifest(JSON.stringify(value), { stack: "s" }).problems.length === 0,
    lock: (value: unknown) => LockSchema.safeParse(value).success,
  };
  test("the alternatives are the only thing left out", () => expect(alternatives).toHaveLength(2));
  const commit = "ab".repeat(20);
  const pinned = {
    id: "core",
    repo: "a/b",
    want: "default",
    ref: "refs/heads/main",
    commit,
    content: `sha256:${"0".repeat(64)}`,
  };
  test.each<["workspace" | "stack" | "lock", string, unknown, boolean]>([
    [
      "workspace",
      "every form of a stack",
      {
        name: "x",
        stacks: [
          "core",
          { ref: "a/b" },
          { org: "e", modules: ["m"] },
          { stack: "s", tag: "v" },
          { path: "../p" },
        ],
      },
      true,
    ],
    [
      "workspace",
      "blocks of other parts",
      { name: "x", schema: "writ/1", agents: { a: 1 }, brokers: [1], notify: ["say"] },
      true,
    ],
    [
      "workspace",
      "context files of each form",
      {
        name: "x",
        schema: "writ/1",
        agent_context: {
          mirrors: ["A.md", { path: "B.md", mode: "import" }],
          extras: [
            { path: ".r", header: false },
            { format: "cursor-rules-dir", path: ".cursor/rules" },
          ],
        },
      },
      true,
    ],
    ["workspace", "a number for a branch", { name: "x", stacks: [{ ref: "core", branch: 19 }] }, false],
    ["workspace", "a scalar for a list", { name: "x", stacks: "core" }, false],
    ["workspace", "an unknown key", { name: "x", stack: ["core"] }, false],
    ["workspace", "an unknown key further in", { name: "x", worktrees: { base: "w" } }, false],
    ["workspace", "no name", { stacks: ["core"] }, false],
    ["stack", "what others add", { product: "p", hooks: [], repos: [{ name: "a", description: "d" }] }, true],
    ["stack", "a repository without name", { repos: [{ org: "a" }] }, false],
    ["lock", "a pinned stack", { schema: "writ/1", stacks: [pinned], repos: [] }, true],
    ["lock", "a short commit", { schema: "writ/1", stacks: [{ ...pinned, commit: "ab" }], repos: [] }, false],
  ])("%s: %s", (kind, ...[, value, good]) => {
    expect(published[kind].safeParse(value).success).toBe(good);
    expect(read[kind](value)).toBe(good);
  });
});
