/** The bare framework: Hono and its Node server, answering every request with the bytes it was started with. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const body = Buffer.from(process.argv[2] ?? "", "base64").toString();
const app = new Hono();
app.get("*", () => new Response(body, { headers: { "Content-Type": "application/json; charset=utf-8" } }));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}`),
);
