import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import {
  type Category,
  type Envelope,
  hintsOf,
  httpPath,
  type Row,
  toolName,
} from "../../packages/writ/src/contract/index.ts";
import { commands } from "../../packages/writ/src/generated/commands.ts";
import { schemas } from "../../packages/writ/src/generated/schemas.ts";
import { serveHttp } from "../../packages/writ/src/surfaces/http/index.ts";
import { createMcpHttp } from "../../packages/writ/src/surfaces/mcp/index.ts";
import { systemClock, systemIds } from "../../packages/writ/src/platform/index.ts";
import { commandLine } from "../../packages/writ/src/contract/index.ts";
import { sameAgain, withoutTransport } from "../support/same.ts";
import { runLine } from "../support/terminal.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

type Input = Record<string, unknown>;

const rows: Row[] = commands.map((command) => ({ ...command, ...schemas[command.id] }) as Row);
const everywhere = rows.filter((row) =>
  ["cli", "http", "mcp"].every((surface) => row.on.includes(surface as "cli")),
);

/** What a capability is called with: its examples, rehearsed first where it changes something, then nonsense. */
function inputsOf(row: Row): Input[] {
  const examples = row.examples.map((example) => example.input);
  const rehearsed = row.mutates ? examples.map((input) => ({ ...input, dry_run: true })) : [];
  const asked = row.flags.some((flag) => flag.required) ? [{}] : [];
  return [
    ...rehearsed,
    ...examples,
    ...asked,
    ...(takesDocument(row) ? [{ ...examples[0], nosuch: 1 }] : []),
  ];
}

/** Where --file is a flag of its own, a command line has no way to say what no flag is for. */
function takesDocument(row: Row): boolean {
  return !row.flags.some((flag) => flag.name === "file" && flag.positional === undefined);
}

/** One way to call a capability, on a workspace of its own. */
interface Way extends AsyncDisposable {
  call(
    row: Row,
    input: Input,
  ): Promise<{ envelope: Envelope; status?: number; isError?: boolean | undefined }>;
  it: TestApp;
}

// The same instant everywhere, and nobody asks a remote.
const now = () => Date.parse("2026-11-30T12:00:00Z");

async function fresh(): Promise<{ it: TestApp; token: string }> {
  const it = testApp({ now, folder: "demo", env: { WRIT_OFFLINE: "1" } });
  mkdirSync(join(it.root, "docs"));
  writeFileSync(join(it.root, "docs", "note.md"), "A note.\n");
  const made = await it.call("token.create", { subject: "user:ana", role: "owner" });
  return { it, token: String(made.data.token) };
}

/** Flags where the command line has them; what it has no flag for comes as a document on standard input. */
async function overCli(): Promise<Way> {
  const { it, token } = await fresh();
  return {
    it,
    call: async (row, { dry_run: dry, ...input }) => {
      const flagged = Object.keys(input).every((field) => row.flags.some((flag) => flag.field === field));
      const line = flagged ? commandLine(row, input) : ["writ", ...row.path, "--file", "-"].join(" ");
      const argv = [...wordsOf(line).slice(1), ...(dry ? ["--dry-run"] : []), "--token", token, "--json"];
      const ran = await runLine(it.app, argv, { cwd: it.root, stdin: JSON.stringify(input) });
      const envelope = ran.envelope();
      expect(ran.code).toBe(envelope.exit_code);
      return { envelope };
    },
    [Symbol.asyncDispose]: () => it[Symbol.asyncDispose](),
  };
}

/** A real server with both doors, as `serve` puts it together, and the token that opens it. */
async function served() {
  const { it, token } = await fresh();
  const registry = await it.app.registry();
  const { app, root } = it;
  const deps = { ...app, registry, root, clock: systemClock, ids: systemIds, log: () => {} };
  const mcp = createMcpHttp(deps, { profile: [], tools: ["all"] });
  const http = await serveHttp(deps, { port: 0, mcp: mcp.fetch });
  const headers = { Authorization: `Bearer ${token}` };
  const close = async () => {
    await http.close(0);
    await mcp.close();
    await it[Symbol.asyncDispose]();
  };
  return { it, url: http.url, headers, close };
}

async function overHttp(): Promise<Way> {
  const { it, url, headers, close } = await served();
  return {
    it,
    call: async (row, input) => {
      const response = await fetch(url + httpPath(row), {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify(input),
      });
      return { envelope: (await response.json()) as Envelope, status: response.status };
    },
    [Symbol.asyncDispose]: close,
  };
}

async function overMcp(): Promise<Way> {
  const { it, url, headers, close } = await served();
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  // From here on the client has the schemas, and refuses an answer that does not fit its own.
  await client.listTools();
  return {
    it,
    call: async (row, input) => {
      const result = await client.callTool({ name: toolName(row), arguments: input });
      return { envelope: result.structuredContent as unknown as Envelope, isError: result.isError };
    },
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await close();
    },
  };
}

type Answered = Awaited<ReturnType<Way["call"]>> & { input: Input };

/** What a way answers to the same calls, in the same order. */
async function answersOf(way: Way, row: Row): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (const input of inputsOf(row)) answers.push({ input, ...(await way.call(row, input)) });
  return answers;
}

/** The answers as text, with chance taken out. */
function textOf(way: Way, answers: Answered[]): string {
  const texts = answers.map((one) => `${JSON.stringify(one.input)}\n${withoutTransport(one.envelope)}`);
  return sameAgain(texts.join("\n"), { root: way.it.root, home: way.it.home });
}

/** The person at the machine may name any folder, a caller from elsewhere may not: a refusal that is no difference. */
function isPlaceRefused(row: Row, { envelope }: Answered): boolean {
  return envelope.error?.code === "E_UNSAFE_PATH" && row.errors.includes("E_UNSAFE_PATH");
}

const statusOf: Record<Category, number> = {
  usage: 400,
  auth: 401,
  policy: 403,
  conflict: 409,
  data: 422,
  dependency: 424,
  internal: 500,
  network: 502,
  store: 503,
};

describe.each(everywhere.map((row) => [row.path.join(" "), row] as const))("%s", (_path, row) => {
  test("CT-31, CT-29, CT-30: it answers one input with the same bytes on each surface", async () => {
    await using cli = await overCli();
    await using http = await overHttp();
    await using mcp = await overMcp();
    const typed = await answersOf(cli, row);
    const posted = await answersOf(http, row);
    const asked = await answersOf(mcp, row);

    expect(textOf(mcp, asked)).toBe(textOf(http, posted));
    const alike = posted.flatMap((one, i) => (isPlaceRefused(row, one) ? [] : [i]));
    const among = (answers: Answered[]) => answers.filter((_, i) => alike.includes(i));
    expect(textOf(http, among(posted))).toBe(textOf(cli, among(typed)));
    for (const { envelope, status } of posted) {
      const { error } = envelope;
      const expected = error?.code === "E_NOT_FOUND" ? 404 : error ? statusOf[error.category] : 200;
      expect(status, error?.code).toBe(expected);
      expect(envelope.command).toBe(row.path.join(" "));
    }
    for (const { envelope, isError } of asked) expect(isError ?? false).toBe(!envelope.ok);
    const codes = typed.map((one) => one.envelope.error?.code);
    expect(codes).not.toContain("INTERNAL_ERROR");
    expect(codes.at(-1) === "USAGE_ERROR").toBe(takesDocument(row));
  });
});

test("CT-31: every capability is compared, but for those that say they stand on fewer surfaces", () => {
  const left = rows.filter((row) => !everywhere.includes(row));
  expect(left.every((row) => row.on.length < 4)).toBe(true);
  expect(everywhere.length).toBeGreaterThan(left.length);
});

test("CT-32: what a capability may do decides its dry run, its reversal and its hints", () => {
  const ids = new Set(rows.map((row) => row.id));
  expect(rows.filter((row) => row.undo && !ids.has(row.undo))).toEqual([]);
  for (const row of rows) {
    expect(row.mutates, row.id).toBe(row.need.effect !== "observe");
    expect(Object.hasOwn(row.input.properties as object, "dry_run"), row.id).toBe(row.mutates);
    const hints = hintsOf(row);
    expect(hints.readOnlyHint, row.id).toBe(!row.mutates);
    expect(hints.destructiveHint, row.id).toBe(row.mutates && row.undo === undefined);
    expect(hints.openWorldHint, row.id).toBe(row.need.network === "may" || row.need.effect === "external");
  }
});

/** Splits a command line as a shell does, as far as the examples need it. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "");
}
