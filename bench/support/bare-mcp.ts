/** The bare SDK: a server that lists the tools and gives the answer it was started with. */
import { readFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const { tools, result } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));

serveStdio(() => {
  const server = new Server({ name: "bare", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools }));
  server.setRequestHandler("tools/call", () => result);
  return server;
});
