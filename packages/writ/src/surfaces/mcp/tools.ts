import type { Tool } from "@modelcontextprotocol/server";
import {
  answerSchema,
  fail,
  hintsOf,
  type JsonSchema,
  nearest,
  type Registry,
  type Row,
  toolName,
} from "../../contract/index.ts";
import type { McpOptions, ToolSet } from "./options.ts";
import { pairTools } from "./pair.ts";

/** Chooses the tools. Throws USAGE_ERROR for a group that does not exist. */
export function buildTools(registry: Registry, options: McpOptions): ToolSet {
  const offered = registry.rows.filter((row) => row.on.includes("mcp"));
  const wanted = new Set(options.profile);
  const groups = new Set(offered.map((row) => row.path[0] ?? row.id));
  for (const group of options.tools ?? []) {
    if (group !== "all" && !groups.has(group)) throw unknownGroup(group, groups);
    for (const row of offered) if (group === "all" || row.path[0] === group) wanted.add(row.id);
  }
  const chosen = offered.filter((row) => wanted.has(row.id));
  return {
    tools: [...chosen.map(toTool), ...pairTools],
    listed: new Map(chosen.map((row) => [toolName(row), row])),
    offered: new Map(offered.map((row) => [toolName(row), row])),
  };
}

/** A capability as an MCP tool: its schemas as they are, and hints that follow from its effect. */
function toTool(row: Row): Tool {
  return {
    name: toolName(row),
    title: row.path.join(" "),
    description: row.summary,
    inputSchema: inputSchema(row) as Tool["inputSchema"],
    outputSchema: answerSchema(row) as NonNullable<Tool["outputSchema"]>,
    annotations: hintsOf(row),
  };
}

/** MCP has no headers a model could set, so the idempotency key stands among the arguments. */
function inputSchema(row: Row): JsonSchema {
  if (!row.mutates) return { type: "object", ...row.input };
  const properties = {
    ...(row.input.properties as JsonSchema | undefined),
    idempotency_key: {
      type: "string",
      minLength: 1,
      maxLength: 200,
      description: "The same key and input again repeat the first answer, for 24 hours.",
    },
  };
  return { type: "object", ...row.input, properties };
}

/** What the descriptions of these tools cost a reader, in bytes: names, texts, and the texts inside the inputs. */
export function descriptionBytes(tools: readonly Tool[]): number {
  return tools.reduce((sum, { name, title, description, inputSchema: schema }) => {
    const text = JSON.stringify({ name, title, description, inputSchema: schema });
    return sum + Buffer.byteLength(text);
  }, 0);
}

function unknownGroup(group: string, groups: Set<string>) {
  const near = nearest(group, [...groups, "all"]);
  return fail("USAGE_ERROR", {
    message: `There is no group of tools "${group.slice(0, 80)}".`,
    cause: `The groups are ${[...groups].sort().join(", ")}, and all.`,
    remediation: near
      ? `Did you mean "${near}"? writ mcp --tools ${near}`
      : "Take everything: writ mcp --tools all",
    details: { unknown: group.slice(0, 80), ...(near && { nearest: near }) },
  });
}
