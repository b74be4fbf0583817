export type { McpOptions } from "./options.ts";
export { createMcpHttp, type McpStdio, serveMcpStdio } from "./serve.ts";
export { createMcpServer, createMcpState } from "./server.ts";
export { buildTools, descriptionBytes } from "./tools.ts";
