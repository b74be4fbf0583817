import type { Tool } from "@modelcontextprotocol/server";
import type { Call, Row } from "../../contract/index.ts";

/** What an MCP server offers, and who speaks to it. */
export interface McpOptions {
  /** Ids of the capabilities in the default set of tools; the rest is reached through the pair that calls any. */
  profile: readonly string[];
  /** Groups (first words of commands) to add to the default set; "all" adds everything. */
  tools?: readonly string[];
  /** What a caller on standard input shows. Over HTTP the request's own token counts, and this does not. */
  credential?: Call["credential"];
}

/** The tools of one server: those it lists, and every capability that may be reached through them. */
export interface ToolSet {
  tools: Tool[];
  /** The rows behind listed tools, by tool name. */
  listed: ReadonlyMap<string, Row>;
  /** All rows this surface offers, by tool name. */
  offered: ReadonlyMap<string, Row>;
}
