import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { createHttpApp, serveHttp } from "../../packages/writ/src/surfaces/http/index.ts";
import { awkward, createStage } from "../support/awkward.ts";
import { envelopeOf, listening, raw } from "../support/http-surface.ts";
import { surfaceDeps } from "../support/surface.ts";

const seven = ["schema", "ok", "command", "exit_code", "data", "warnings", "error"];

describe("a call over HTTP", () => {
  test("CT-29: POST takes the input as JSON and answers with the envelope", async () => {
    await using server = await listening();
    const response = await server.send("/v1/echo/say", { json: { text: "héllo", tags: ["a"] } });
    const envelope = await envelopeOf(response);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(Object.keys(envelope)).toEqual(seven);
    expect(envelope).toMatchObject({ ok: true, command: "echo say", data: { text: "héllo", tags: ["a"] } });
  });

  test("CT-29: an observation is also a GET, its parameters typed as the input is", async () => {
    await using server = await listening();
    const query = "text=5&times=5&ratio=0.5&loud=true&tags=a&tags=b&shape=%7B%22x%22%3A1%7D";
    const envelope = await envelopeOf(await server.send(`/v1/echo/say?${query}`));
    const data = { text: "5", times: 5, ratio: 0.5, loud: true, tags: ["a", "b"], shape: { x: 1 } };
    expect(envelope.data).toEqual(data);
    const one = await envelopeOf(await server.send("/v1/echo/say?tags=a&loud=0"));
    expect(one.data).toEqual({ tags: ["a"], loud: false });
  });

  test("CT-29: what changes something is no GET, and the refusal names the method that works", async () => {
    await using server = await listening();
    for (const [path, method, allowed] of [
      ["/v1/keep?name=cup", "GET", "POST"],
      ["/v1/keep", "PUT", "POST"],
      ["/v1/echo/say", "DELETE", "GET, POST"],
    ] as const) {
      const response = await server.send(path, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe(allowed);
      expect((await envelopeOf(response)).error?.code).toBe("USAGE_ERROR");
    }
    expect(server.deps.calls).toEqual([]);
  });

  test("CT-22: an unknown parameter is refused with the nearest named", async () => {
    await using server = await listening();
    const response = await server.send("/v1/echo/say?txet=hello");
    const { error, command } = await envelopeOf(response);
    expect(response.status).toBe(400);
    expect(command).toBe("echo say");
    expect(error).toMatchObject({ code: "USAGE_ERROR", details: { unknown: "txet", nearest: "text" } });
  });

  test("CT-22: a parameter that cannot be read as its type is a malformed call", async () => {
    await using server = await listening();
    for (const query of ["times=many", "times=", "loud=maybe", "shape={", "text=a&text=b", "ratio=%201"]) {
      const response = await server.send(`/v1/echo/say?${query}`);
      expect([query, response.status]).toEqual([query, 400]);
      expect((await envelopeOf(response)).error?.code).toBe("USAGE_ERROR");
    }
  });

  test("CT-22: an unknown field, an unknown word and a value out of bounds keep their own codes", async () => {
    await using server = await listening();
    const codes = [];
    for (const json of [{ txet: "a" }, { mood: "clam" }, { times: 10 }, { times: "many" }]) {
      codes.push((await envelopeOf(await server.send("/v1/echo/say", { json }))).error?.code);
    }
    expect(codes).toEqual(["USAGE_ERROR", "USAGE_ERROR", "E_INVALID_VALUE", "USAGE_ERROR"]);
  });

  test("CT-30: a body that is no JSON object is refused before anything runs", async () => {
    await using server = await listening();
    const headers = { "Content-Type": "application/json" };
    for (const body of ["{", "[]", "null", '"text"', '{"text": "\u0000'])
      expect((await server.send("/v1/echo/say", { method: "POST", headers, body })).status).toBe(400);
    const form = await server.send("/v1/echo/say", {
      method: "POST",
      body: new URLSearchParams({ text: "a" }),
    });
    expect(form.status).toBe(415);
    expect((await envelopeOf(form)).error?.code).toBe("USAGE_ERROR");
    expect(server.deps.calls).toEqual([]);
  });

  test("CT-30: the status follows from the error and the body is the envelope in every case", async () => {
    await using server = await listening();
    const statuses: Record<string, number> = {
      USAGE_ERROR: 400,
      E_AUTH_REQUIRED: 401,
      E_UNSAFE_PATH: 403,
      E_NOT_FOUND: 404,
      E_EXISTS: 409,
      E_DRIFT: 422,
      E_TOOL_MISSING: 424,
      RATE_LIMITED: 429,
      INTERNAL_ERROR: 500,
      NETWORK_ERROR: 502,
      STORE_ERROR: 503,
      UPSTREAM_TIMEOUT: 504,
    };
    for (const [code, status] of Object.entries(statuses)) {
      const response = await server.send("/v1/bad/check", { json: { code } });
      const envelope = await envelopeOf(response);
      expect([code, response.status]).toEqual([code, status]);
      expect(Object.keys(envelope)).toEqual(seven);
      expect(envelope).toMatchObject({ ok: false, command: "bad check", data: { found: ["a.md"] } });
      expect(response.headers.get("retry-after")).toBe(code === "RATE_LIMITED" ? "30" : null);
    }
  });

  test("CT-30: a defect answers 500 and tells nothing of its inside", async () => {
    await using server = await listening();
    const response = await server.send("/v1/bad/throw", { json: {} });
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).toContain("INTERNAL_ERROR");
    expect(text).not.toContain("secret detail");
    expect(text).not.toContain("/home/");
  });

  test("CT-29: an unknown route is refused with the nearest named, and so is one of another surface", async () => {
    await using server = await listening();
    const response = await server.send("/v1/echo/sya");
    expect(response.status).toBe(404);
    expect((await envelopeOf(response)).error).toMatchObject({
      code: "USAGE_ERROR",
      details: { nearest: "/v1/echo/say" },
    });
    expect((await server.send("/v1/here/only")).status).toBe(404);
    expect((await server.send("/nowhere")).status).toBe(404);
  });

  test("CT-20, RN-9: the Idempotency-Key and traceparent headers and dry_run reach the call", async () => {
    await using server = await listening();
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const headers = { "Idempotency-Key": "k-1", traceparent };
    const envelope = await envelopeOf(
      await server.send("/v1/keep", { json: { name: "cup", dry_run: true }, headers }),
    );
    expect(envelope.data).toMatchObject({ name: "cup", changed: false, dry_run: true });
    expect(server.deps.calls[0]).toMatchObject({ idempotencyKey: "k-1", traceparent });
  });
});

describe("who may call", () => {
  test("RN-9: without a token the answer is 401 and says how to show one", async () => {
    await using server = await listening();
    for (const token of [null, "wrong"]) {
      const response = await server.send("/v1/echo/say", { token });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe('Bearer realm="writ"');
      expect((await envelopeOf(response)).error?.code).toBe("E_AUTH_REQUIRED");
    }
  });

  test("RN-9: the credential is checked before the body is read", async () => {
    await using server = await listening();
    // The body never comes; the refusal must not wait for it.
    const headers = { Host: `127.0.0.1:${server.serving.port}`, "Content-Length": "1000" };
    const { status } = await raw(server.serving.port, {
      path: "/v1/echo/say",
      method: "POST",
      headers,
      body: "",
    }).catch(() => ({ status: 0 }));
    expect(status).toBe(401);
  });

  test("RN-9: a refused role is 403, with the envelope", async () => {
    await using server = await listening();
    const response = await server.send("/v1/bad/deny", { json: {} });
    expect(response.status).toBe(403);
    expect((await envelopeOf(response)).error?.code).toBe("E_ROLE_REQUIRED");
    expect((await server.send("/v1/bad/deny", { json: {}, token: "owner-token" })).status).toBe(200);
  });

  test("RN-9: health needs no token and tells nothing else", async () => {
    let ready = false;
    await using server = await listening({ ready: async () => ready });
    const health = await server.send("/healthz", { token: null });
    expect([health.status, await health.text()]).toEqual([200, "ok\n"]);
    const waiting = await server.send("/readyz", { token: null });
    expect([waiting.status, await waiting.text()]).toEqual([503, "not ready\n"]);
    ready = true;
    expect((await server.send("/readyz", { token: null })).status).toBe(200);
  });

  test("RN-9: metrics are OpenMetrics, for an admin or an owner", async () => {
    await using server = await listening();
    await server.send("/v1/echo/say?text=a");
    await server.send("/v1/bad/check", { json: {} });
    expect((await server.send("/metrics", { token: null })).status).toBe(401);
    expect((await server.send("/metrics")).status).toBe(403);
    const response = await server.send("/metrics", { token: "admin-token" });
    const text = await response.text();
    expect(response.headers.get("content-type")).toContain("application/openmetrics-text; version=1.0.0");
    expect(text).toContain('writ_http_requests_total{route="echo.say",status="200"} 1\n');
    expect(text).toContain('writ_http_requests_total{route="bad.check",status="422"} 1\n');
    expect(text).toContain('writ_http_request_duration_seconds_bucket{route="echo.say",le="+Inf"} 1\n');
    expect(text).toContain("writ_http_requests_in_flight 1\n");
    expect(text.endsWith("# EOF\n")).toBe(true);
    for (const line of text.trimEnd().split("\n")) {
      expect(line).toMatch(/^(# (HELP|TYPE|UNIT) [a-z_]+ .+|# EOF|[a-z_]+(\{[^}]*\})? [\d.e+-]+)$/);
    }
  });
});

describe("from where", () => {
  test("RN-9: a foreign Host is refused, as a rebound name would send it", async () => {
    await using server = await listening({ hosts: ["writ.example.org"] });
    const { port } = server.serving;
    const ask = async (host: string) => {
      const headers = { Host: host, Authorization: "Bearer member-token" };
      const { status, envelope } = await raw(port, { path: "/v1/echo/say", headers });
      return [status, envelope.error?.code];
    };
    for (const ours of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, "writ.example.org"]) {
      expect([ours, ...(await ask(ours))]).toEqual([ours, 200, undefined]);
    }
    for (const foreign of [
      "evil.example",
      `evil.example:${port}`,
      "localhost",
      `localhost:${port + 1}`,
      "a@b",
    ]) {
      const [status, code] = await ask(foreign);
      expect([foreign, status, status === 403 || status === 400]).toEqual([foreign, status, true]);
      expect(["E_ORIGIN_REFUSED", "USAGE_ERROR"]).toContain(code);
    }
  });

  test("RN-9: a server on every address is called by the one that leads to it, and by no other", async () => {
    await using server = await listening({ host: "0.0.0.0", public: true });
    const { port } = server.serving;
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const local =
      addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.2";
    const ask = async (called: string) => {
      const headers = { Host: called, Authorization: "Bearer member-token" };
      return (await raw(port, { path: "/v1/echo/say", headers, host: local })).status;
    };
    expect(await ask(`${local}:${port}`)).toBe(200);
    for (const foreign of [local, `${local}:${port + 1}`, `127.0.0.3:${port}`, `rebound.example:${port}`])
      expect([foreign, await ask(foreign)]).toEqual([foreign, 403]);
  });

  test("RN-12: a foreign Origin is refused, our own is not", async () => {
    await using server = await listening();
    const { url, port } = server.serving;
    const ask = async (origin: string) =>
      (await server.send("/v1/echo/say", { headers: { Origin: origin } })).status;
    expect(await ask(url)).toBe(200);
    for (const origin of ["https://evil.example", "null", `https://127.0.0.1:${port}`, "http://127.0.0.1"]) {
      expect([origin, await ask(origin)]).toEqual([origin, 403]);
    }
  });

  test("RN-9: forwarded headers count from a named proxy only", async () => {
    const headers = { "X-Forwarded-Host": "writ.example.org", "X-Forwarded-Proto": "https" };
    const origin = { ...headers, Origin: "https://writ.example.org" };
    const options = { hosts: ["writ.example.org"] };
    {
      await using server = await listening({ ...options, trustedProxies: ["127.0.0.1"] });
      expect((await server.send("/v1/echo/say", { headers: origin })).status).toBe(200);
      const { url } = ((await (await server.send("/v1/openapi.json", { headers })).json()) as Served)
        .servers[0];
      expect(url).toBe("https://writ.example.org");
    }
    await using server = await listening({ ...options, trustedProxies: ["10.0.0.1"] });
    expect((await server.send("/v1/echo/say", { headers: origin })).status).toBe(403);
  });

  test("RN-9: a host that others can reach needs consent, and a taken port is named", async () => {
    await using server = await listening();
    await expect(serveHttp(server.deps, { host: "0.0.0.0", port: 0 })).rejects.toMatchObject({
      code: "E_PUBLIC_REFUSED",
    });
    await expect(serveHttp(server.deps, { port: server.serving.port })).rejects.toMatchObject({
      code: "E_PORT_IN_USE",
    });
  });
});

interface Served {
  servers: [{ url: string }];
}

test("every route is one that can be looked up at once: a single other kind makes each request pay for all", async () => {
  const { app } = createHttpApp(surfaceDeps(awkward(createStage())), { mcp: async () => new Response() });
  await app.request("http://localhost/healthz");
  expect(app.router.name).toContain("RegExpRouter");
});
