import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Adapter, ExchangeInput } from "../../packages/writ/src/reasoning/advisors/adapter.ts";
import { adapterModules, loadAdapter } from "../../packages/writ/src/reasoning/advisors/load.ts";
import { childEnvironment } from "../../packages/writ/src/reasoning/advisors/spawn-port.ts";
import { adapterFacts } from "../../packages/writ/src/reasoning/advisors/table.ts";
import { type Ended, startExchange } from "../../packages/writ/src/reasoning/consult/run-exchange.ts";
import {
  advisorProgram,
  claudePrints,
  codexPrints,
  geminiPrints,
  prints,
} from "../fakes/advisor-programs.ts";
import {
  anthropicMessagesServer,
  llamacppServer,
  lmstudioServer,
  ollamaServer,
  openaiChatServer,
  type Says,
} from "../fakes/advisor-servers.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { says } from "./bed.ts";

/** One way to a dialect: how its other side answers, and what it was sent. */
interface Other extends AsyncDisposable {
  input: Partial<ExchangeInput["advisor"]>;
  environment: Record<string, string>;
  answers(next: Says): void;
  /** The brief as it arrived. */
  brief(): string;
  /** Bytes of the body as they arrived. */
  body(): string;
}

const prompt = 'the brief, with "quotes" and ünicode';
const secret = { name: "ADVISOR_KEY", value: "k-123456" };

function input(other: Other, more: Partial<ExchangeInput> = {}): ExchangeInput {
  return {
    advisor: {
      id: "one",
      adapter: "x",
      model: "m-1",
      access: "brief",
      env: [],
      max_tokens_field: "max_tokens",
      json_mode: false,
      localOnly: false,
      ...other.input,
    },
    prompt,
    maxOutputTokens: 500,
    parameters: {},
    ...more,
  };
}

type Server = typeof openaiChatServer;

async function overHttp(serve: Server | typeof ollamaServer, keyed: boolean): Promise<Other> {
  let next: Says = { text: says("supports") };
  const server = await serve(() => next);
  const last = () => server.requests.at(-1)?.body ?? "";
  return {
    input: { address: server.url, ...(keyed && { credential: secret.name }) },
    environment: { [secret.name]: secret.value },
    answers: (said) => void (next = said),
    brief: () => (JSON.parse(last()) as { messages: { content: string }[] }).messages[0]?.content ?? "",
    body: last,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function overProgram(speak: (text: string) => string): Promise<Other> {
  const folder = tempFolder("writ-program");
  const program = advisorProgram(folder.path, "advisor", speak(says("supports")));
  return {
    input: { executable: "advisor" },
    environment: { PATH: folder.path },
    answers: (said) => program.does("text" in said ? speak(said.text) : "exit 9"),
    brief: program.brief,
    body: program.brief,
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]();
    },
  };
}

const dialects: Record<string, { open(): Promise<Other>; usage: boolean; http: boolean }> = {
  "openai-chat": { open: () => overHttp(openaiChatServer, true), usage: true, http: true },
  "anthropic-messages": {
    open: () => overHttp(anthropicMessagesServer as Server, true),
    usage: true,
    http: true,
  },
  "ollama-chat": { open: () => overHttp(ollamaServer, false), usage: true, http: true },
  "claude-cli": { open: () => overProgram(claudePrints), usage: true, http: false },
  "gemini-cli": { open: () => overProgram(geminiPrints), usage: true, http: false },
  "codex-exec": { open: () => overProgram(codexPrints), usage: true, http: false },
  stdio: { open: () => overProgram(prints), usage: false, http: false },
};

const root = "/nowhere";

async function exchange(
  adapter: Adapter,
  other: Other,
  more: {
    input?: Partial<ExchangeInput>;
    timeoutMs?: number;
    signal?: AbortSignal;
    environment?: Record<string, string>;
  } = {},
): Promise<Ended> {
  const running = startExchange(
    {
      adapter,
      exchange: adapter.describe(input(other, more.input)),
      origin: "advisor:one",
      timeoutMs: more.timeoutMs ?? 20_000,
    },
    {
      environment: more.environment ?? other.environment,
      root,
      now: () => Date.parse("2026-11-30T12:00:00Z"),
      signal: more.signal ?? new AbortController().signal,
    },
  );
  const end = await running.ended;
  await running.over;
  return end;
}

test("RS-92, RS-97, RS-123: every module of the folder is in the table, and the table says what the module says", async () => {
  const folder = join(import.meta.dirname, "../../packages/writ/src/reasoning/advisors");
  const helpers =
    /^(adapter|exit-failure|http-failure|http-port|json-exchange|load|program|spawn-port|table)\.ts$/;
  const modules = readdirSync(folder).filter((name) => !helpers.test(name) && !name.endsWith(".test.ts"));
  expect(modules.map((name) => name.replace(".ts", "")).sort()).toEqual(Object.keys(adapterModules).sort());
  expect(Object.keys(adapterFacts).sort()).toEqual(Object.keys(adapterModules).sort());
  expect(Object.keys(dialects).sort()).toEqual(Object.keys(adapterModules).sort());
  for (const name of Object.keys(adapterModules)) {
    const { transports, sealed, name: own } = await loadAdapter(name);
    expect({ transports, sealed }).toEqual({
      transports: adapterFacts[name]?.transports,
      sealed: adapterFacts[name]?.sealed,
    });
    expect(own).toBe(name);
  }
});

describe.each(Object.entries(dialects))("the dialect %s", (name, { open, usage, http }) => {
  // What a dialect cannot do is no case of it: a test that is not run would look like a gap.
  const servers = http ? [name] : [];
  const keyed = servers.filter((one) => one !== "ollama-chat");
  const programs = http ? [] : [name];
  const suite = async (work: (adapter: Adapter, other: Other) => Promise<void>) => {
    await using other = await open();
    await work(await loadAdapter(name), other);
  };

  test("RS-92, RS-96, RS-123: an answer comes through whole, and what was described is what arrived", () =>
    suite(async (adapter, other) => {
      const described = adapter.describe(input(other));
      const end = await exchange(adapter, other);
      expect(end).toMatchObject({
        status: "completed",
        answer: { origin: "advisor:one", trust: "data", stance: "supports" },
      });
      expect(other.body()).toBe(described.body);
      expect(other.brief()).toBe(prompt);
      expect(JSON.stringify(described)).not.toContain(secret.value);
      expect(end.usage).toEqual(usage && !http ? { input_tokens: 100, output_tokens: 20 } : undefined);
      other.answers({ text: says("supports"), usage: true });
      const told = await exchange(adapter, other);
      expect(told.usage).toEqual(usage ? { input_tokens: 100, output_tokens: 20 } : undefined);
    }));

  test("RS-91: prose around the object and what is no answer are told apart", () =>
    suite(async (adapter, other) => {
      other.answers({ text: `Sure, like {"this": 1}:\n${says("opposes")}\nHope it helps }` });
      expect(await exchange(adapter, other)).toMatchObject({
        status: "completed",
        answer: { stance: "opposes" },
      });
      other.answers({ text: "I would rather not {" });
      expect((await exchange(adapter, other)).status).toBe("malformed");
      other.answers({ text: "  " });
      expect((await exchange(adapter, other)).status).toBe("empty");
    }));

  test("RS-86: the cause of the abort decides, and a signal that has fired starts nothing (RC-57, RC-68)", () =>
    suite(async (adapter, other) => {
      const before = new AbortController();
      before.abort();
      expect(await exchange(adapter, other, { signal: before.signal })).toMatchObject({
        status: "cancelled",
      });
    }));

  test.each(servers)(
    "RS-86, RS-94: a server that is silent is given up at the deadline, or when the caller does",
    () =>
      suite(async (adapter, other) => {
        other.answers({ reply: undefined });
        expect((await exchange(adapter, other, { timeoutMs: 50 })).status).toBe("timeout");
        const later = new AbortController();
        setTimeout(() => later.abort(), 50);
        expect((await exchange(adapter, other, { signal: later.signal })).status).toBe("cancelled");
      }),
  );

  test.each(servers)("RS-94: every class of failure of a server has its word (RC-55)", () =>
    suite(async (adapter, other) => {
      const rows: [Says, Partial<Ended>][] = [
        [{ reply: { body: "<html>" } }, { status: "malformed" }],
        [{ reply: { body: {} } }, { status: "malformed" }],
        [{ reply: { status: 401, body: {} } }, { status: "auth_failed" }],
        [{ reply: { status: 403, body: {} } }, { status: "auth_failed" }],
        [{ reply: { status: 402, body: {} } }, { status: "quota_exhausted" }],
        [{ reply: { status: 404, body: {} } }, { status: "unavailable" }],
        [{ reply: { status: 408, body: {} } }, { status: "timeout" }],
        [
          { reply: { status: 429, body: {}, headers: { "retry-after": "7.2" } } },
          { status: "rate_limited", retry_after_seconds: 8 },
        ],
        [{ reply: { status: 429, body: {} } }, { status: "rate_limited" }],
        [
          { reply: { status: 429, body: {}, headers: { "retry-after": "Mon, 30 Nov 2026 12:02:00 GMT" } } },
          { status: "rate_limited", retry_after_seconds: 120 },
        ],
        [
          { reply: { status: 429, body: { error: { code: "insufficient_quota" } } } },
          { status: "quota_exhausted" },
        ],
        [{ reply: { status: 500, body: {} } }, { status: "unavailable" }],
        [{ reply: { status: 504, body: {} } }, { status: "timeout" }],
        [{ reply: { status: 418, body: {} } }, { status: "error" }],
        [{ reply: { status: 307, headers: { location: "http://127.0.0.1:1/" } } }, { status: "error" }],
        [{ reply: (response) => response.destroy() }, { status: "unavailable" }],
      ];
      for (const [said, expected] of rows) {
        other.answers(said);
        const end = await exchange(adapter, other);
        expect(end, JSON.stringify(said)).toMatchObject(expected);
        expect(end.retry_after_seconds, JSON.stringify(said)).toBe(expected.retry_after_seconds);
        expect(end.answer).toBeUndefined();
      }
    }),
  );

  test.each(servers)("RS-94: a body without end is cut off, and a large answer is bounded (RC-61)", () =>
    suite(async (adapter, other) => {
      let written = 0;
      const chunk = "x".repeat(64 * 1024);
      other.answers({
        reply: (response) => {
          response.writeHead(200, { "content-type": "application/json" });
          const more = (): void => {
            while (!response.destroyed && written < 50 * 1024 * 1024) {
              written += chunk.length;
              if (!response.write(chunk)) {
                response.once("drain", more);
                return;
              }
            }
          };
          more();
        },
      });
      expect((await exchange(adapter, other)).status).toBe("malformed");
      expect(written).toBeLessThan(50 * 1024 * 1024);
      const many = JSON.stringify({
        conclusion: "c".repeat(5000),
        stance: "yes",
        risks: Array(100_000).fill("r"),
      });
      other.answers({ text: many });
      const end = await exchange(adapter, other);
      expect(end.answer?.risks).toHaveLength(20);
      expect([end.answer?.conclusion.length, end.answer?.stance]).toEqual([1000, "inconclusive"]);
    }),
  );

  test.each(keyed)("RS-94: without its key nothing is sent (RC-64)", () =>
    suite(async (adapter, other) => {
      expect(await exchange(adapter, other, { environment: {} })).toMatchObject({ status: "not_configured" });
      expect(other.body()).toBe("");
    }),
  );

  test.each(keyed)("RS-94: a refused optional part is left out once, and said (RC-56)", () =>
    suite(async (adapter, other) => {
      other.answers({
        reply: { status: 400, body: { error: { message: "temperature is not supported" } } },
      });
      const end = await exchange(adapter, other, { input: { parameters: { temperature: 0 } } });
      expect(end.status).toBe("error");
      expect(JSON.parse(other.body())).not.toHaveProperty("temperature");
    }),
  );

  test.each(programs)(
    "RS-95: a program sees exactly what is listed, and its brief on standard input only (RC-67)",
    async () => {
      const folder = tempFolder("writ-program");
      const program = advisorProgram(folder.path, "advisor", "exit 3");
      const adapter = await loadAdapter(name);
      const other = {
        input: { executable: "advisor", env: ["ALLOWED"] },
        environment: {},
      } as unknown as Other;
      const environment = { PATH: folder.path, HOME: "/h", SECRET_TOKEN: "s", ALLOWED: "a", LC_ALL: "C" };
      const end = await exchange(adapter, other, { environment });
      expect(end).toMatchObject({ status: "error" });
      const seen = program.environment();
      expect(seen).not.toContain("SECRET_TOKEN");
      expect(seen).toMatch(/^ALLOWED=a$/m);
      expect(seen).toMatch(/^TERM=dumb$/m);
      expect(program.argv().join(" ")).not.toContain("the brief");
      expect(program.argv().join(" ")).not.toMatch(/dangerous|yolo|bypass/i);
      program.remove();
      expect((await exchange(adapter, other, { environment })).status).toBe("unavailable");
      folder[Symbol.dispose]();
    },
  );

  test.each(programs)(
    "RS-95: exit codes and whole phrases of an error line say why; a flood is cut off (RC-61)",
    async () => {
      const folder = tempFolder("writ-program");
      const program = advisorProgram(folder.path, "advisor");
      const adapter = await loadAdapter(name);
      const other = {
        input: { executable: "advisor" },
        environment: { PATH: folder.path },
      } as unknown as Other;
      for (const [script, expected] of [
        ["echo 'Error: not logged in' >&2; exit 1", "auth_failed"],
        ["echo 'API error: HTTP 429 too many requests' >&2; exit 1", "rate_limited"],
        ["echo 'fatal: quota exceeded' >&2; exit 1", "quota_exhausted"],
        ["echo 'about authentication 401' >&2; exit 1", "error"],
        ["/usr/bin/yes", "malformed"],
      ] as const) {
        program.does(script);
        expect((await exchange(adapter, other)).status, script).toBe(expected);
      }
      folder[Symbol.dispose]();
    },
  );
});

describe("the command lines", () => {
  const argv = async (name: string, access: "brief" | "workspace", model?: string) => {
    const adapter = await loadAdapter(name);
    const advisor = { executable: "x", access, ...(model !== undefined && { model }) };
    const described = adapter.describe({
      advisor: {
        id: "a",
        adapter: name,
        env: [],
        max_tokens_field: "",
        json_mode: false,
        localOnly: false,
        ...advisor,
      },
      prompt,
      maxOutputTokens: 1,
      parameters: {},
    });
    expect(described.complete).toBe(false);
    return described.argv?.join(" ");
  };
  test.for([
    [
      "claude-cli",
      "brief",
      "x -p --output-format json --tools  --strict-mcp-config --no-session-persistence --max-turns 1 --model m",
    ],
    [
      "claude-cli",
      "workspace",
      "x -p --output-format json --tools Read,Grep,Glob --strict-mcp-config --no-session-persistence --model m",
    ],
    [
      "gemini-cli",
      "brief",
      "x --output-format json --approval-mode default --skip-trust --extensions none --model m",
    ],
    ["gemini-cli", "workspace", "x --output-format json --approval-mode default --extensions none --model m"],
    [
      "codex-exec",
      "brief",
      "x exec --skip-git-repo-check --sandbox read-only --disable shell_tool --disable unified_exec --ephemeral --ignore-user-config --ignore-rules --json --output-last-message <fresh folder>/answer.txt --model m -",
    ],
    [
      "codex-exec",
      "workspace",
      "x exec --skip-git-repo-check --sandbox read-only --ephemeral --ignore-user-config --ignore-rules --json --output-last-message <fresh folder>/answer.txt --model m -",
    ],
    ["stdio", "brief", "x --writ-advisor 1"],
  ] as const)("RS-96: %s with access to the %s", async ([name, access, expected]) => {
    expect(await argv(name, access, "m")).toBe(expected);
  });
});

test("RS-96: a local server is asked which model it has; embeddings and models elsewhere are passed over", async () => {
  for (const [serve, name, model] of [
    [lmstudioServer, "openai-chat", "qwen"],
    [llamacppServer, "openai-chat", "model.gguf"],
    [ollamaServer, "ollama-chat", "near:20b"],
  ] as const) {
    await using server = await serve(() => ({ text: says("supports") }));
    const adapter = await loadAdapter(name);
    const { model: _, ...advisor } = input({ input: { address: server.url } } as Other).advisor;
    const described = adapter.describe({ ...input({ input: {} } as Other), advisor });
    expect(described.complete).toBe(false);
    expect(described.body).toContain(`<first model listed by ${server.url}`);
    const running = startExchange(
      { adapter, exchange: described, origin: "advisor:one", timeoutMs: 20_000 },
      { environment: {}, root, now: () => 0, signal: new AbortController().signal },
    );
    expect(await running.ended).toMatchObject({ status: "completed", model });
  }
});

test("RS-92: a name that is no adapter's loads nothing, a module that fails or lacks a function has its word (RC-63)", async () => {
  const status = async (name: string, load: () => Promise<{ adapter?: unknown }>) =>
    loadAdapter(name, { [name]: load }).then(
      () => "loaded",
      (error: { status: string }) => error.status,
    );
  let loads = 0;
  const counted = async () => (loads++, {});
  expect([await status("../x", counted), await status("A_B", counted), loads]).toEqual(["error", "error", 0]);
  expect(await status("one", () => Promise.reject(new Error("x")))).toBe("unavailable");
  expect(await status("one", counted)).toBe("error");
});

test("RS-86: an adapter that gives up at once with a plain error does not change the cause (RC-68)", async () => {
  const adapter: Adapter = {
    name: "hasty",
    version: "1",
    transports: ["api"],
    sealed: true,
    describe: () => ({
      target: "",
      headers: {},
      env_names: [],
      body: "",
      complete: true,
      notes: [],
      optional: [],
      localOnly: false,
    }),
    exchange: (_, io) =>
      new Promise((_resolve, reject) => io.signal.addEventListener("abort", () => reject(new Error("gone")))),
  };
  const other = { input: {}, environment: {} } as unknown as Other;
  const ends = await Promise.all(
    Array.from({ length: 100 }, async (_, i) => {
      const caller = new AbortController();
      if (i % 2 === 1) setTimeout(() => caller.abort(), 1);
      return (await exchange(adapter, other, { signal: caller.signal, timeoutMs: i % 2 === 1 ? 20_000 : 1 }))
        .status;
    }),
  );
  expect(new Set(ends.filter((_, i) => i % 2 === 0))).toEqual(new Set(["timeout"]));
  expect(new Set(ends.filter((_, i) => i % 2 === 1))).toEqual(new Set(["cancelled"]));
});

test("RS-95: the environment of a program is built from names, never inherited", () => {
  const environment = {
    PATH: "/p",
    XDG_CONFIG_HOME: "/x",
    XDG_EVIL: "1",
    LC_TIME: "C",
    AWS_SECRET: "s",
    TMPDIR: "/t",
  };
  expect(childEnvironment(environment, { env_names: ["AWS_REGION"], tmp: "/fresh" })).toEqual({
    PATH: "/p",
    XDG_CONFIG_HOME: "/x",
    LC_TIME: "C",
    TMPDIR: "/fresh",
    TERM: "dumb",
    NO_COLOR: "1",
  });
});
