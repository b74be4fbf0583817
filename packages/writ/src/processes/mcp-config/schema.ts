import * as z from "zod";
import { mcpClients } from "./clients.ts";

const ids = mcpClients.map(({ id }) => id).join(", ");

export const clientInput = z.string().min(1).max(80).describe(`The client to configure: ${ids}.`);

/** What mcp install and mcp uninstall answer. */
export const configOutput = {
  client: z.string().describe("The client's id."),
  file: z.string().describe("Its configuration of this workspace, relative to the root."),
  place: z.string().describe("Where in it the entry stands."),
  entry: z.record(z.string(), z.unknown()).describe("Writ's entry."),
  action: z.enum(["created", "added", "removed", "deleted", "none"]).describe("What happens to the file."),
};
