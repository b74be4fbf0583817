export { createHttpApp } from "./app.ts";
export { buildOpenApi } from "./openapi.ts";
export type { Limits } from "./limits.ts";
export type { HttpOptions } from "./options.ts";
export { type HttpServing, serveHttp, type ServeHttpOptions } from "./serve.ts";
