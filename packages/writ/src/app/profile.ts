/**
 * What an agent needs in any workspace: the tools an MCP server offers by default, at most 20 with the pair
 * through which everything else is reached. Ids that no part declares yet are left out by the surface.
 */
export const mcpProfile = [
  "workspace.status",
  "workspace.doctor",
  "workspace.bootstrap",
  "workspace.sync",
  "explain",
  "topic.find",
  "topic.show",
  "note.add",
  "reasoning.plan",
  "reasoning.record",
  "reasoning.consult",
  "reasoning.status",
  "review.list",
  "run.show",
  "research.status",
  "research.read.top",
] as const;
