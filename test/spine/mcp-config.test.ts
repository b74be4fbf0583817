import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Capability } from "../../packages/writ/src/contract/index.ts";
import ledgerList from "../../packages/writ/src/ledger/capabilities/list.ts";
import install from "../../packages/writ/src/processes/capabilities/mcp-install.ts";
import uninstall from "../../packages/writ/src/processes/capabilities/mcp-uninstall.ts";
import { mcpClients } from "../../packages/writ/src/processes/mcp-config/clients.ts";
import {
  insertJson,
  readJsonAt,
  removeJson,
} from "../../packages/writ/src/processes/mcp-config/json-edit.ts";
import { styleFor } from "../../packages/writ/src/surfaces/cli/render.ts";
import { commandsOf, type TestApp, testApp } from "../support/test-app.ts";

const commands = commandsOf([install, uninstall, ledgerList] as unknown as Capability[]);

function put(it: TestApp, file: string, text: string): void {
  mkdirSync(dirname(join(it.root, file)), { recursive: true });
  writeFileSync(join(it.root, file), text);
}

function read(it: TestApp, file: string): string {
  return readFileSync(join(it.root, file), "utf8");
}

const written: Record<string, [file: string, text: unknown]> = {
  "claude-code": [".mcp.json", { mcpServers: { writ: { command: "writ", args: ["mcp"] } } }],
  codex: [".codex/config.toml", '[mcp_servers.writ]\ncommand = "writ"\nargs = ["mcp"]\n'],
  cursor: [
    ".cursor/mcp.json",
    { mcpServers: { writ: { command: "writ", args: ["mcp", "--workspace", "${workspaceFolder}"] } } },
  ],
  "gemini-cli": [".gemini/settings.json", { mcpServers: { writ: { command: "writ", args: ["mcp"] } } }],
  vscode: [
    ".vscode/mcp.json",
    {
      servers: {
        writ: { type: "stdio", command: "writ", args: ["mcp", "--workspace", "${workspaceFolder}"] },
      },
    },
  ],
  opencode: ["opencode.json", { mcp: { writ: { type: "local", command: ["writ", "mcp"], enabled: true } } }],
};

test("RN-15: each client of the table gets its own file in its own format, once, and loses it again", async () => {
  expect(mcpClients.map(({ id }) => id).sort()).toEqual(Object.keys(written).sort());
  await using it = testApp({ commands });
  for (const [client, [file, text]] of Object.entries(written)) {
    const made = await it.call("mcp.install", { client });
    expect(made.data).toMatchObject({
      changed: true,
      client,
      file,
      action: "created",
      next: [`writ mcp uninstall --client ${client}`],
    });
    (await install.output()).parse(made.data);
    expect(client === "codex" ? read(it, file) : JSON.parse(read(it, file))).toEqual(text);
    expect((await it.call("mcp.install", { client })).data).toMatchObject({
      changed: false,
      action: "none",
      reason: expect.any(String),
    });
    expect((await it.call("mcp.uninstall", { client })).data).toMatchObject({
      changed: true,
      action: "deleted",
    });
    expect(existsSync(join(it.root, file))).toBe(false);
    expect(existsSync(join(it.root, dirname(file) === "." ? "nosuch" : dirname(file)))).toBe(false);
    expect((await it.call("mcp.uninstall", { client })).data).toMatchObject({
      changed: false,
      action: "none",
    });
  }
});

const kept: [client: string, text: string][] = [
  ["claude-code", "{}"],
  ["claude-code", "{\n}\n"],
  ["claude-code", '{"mcpServers":{}}'],
  [
    "claude-code",
    '{\n  "mcpServers": {\n    "other": { "command": "x", "env": { "KEY": "secret" } }\n  }\n}\n',
  ],
  ["claude-code", '{"mcpServers":{"other":{"command":"x"}},"more":[1,2]}'],
  ["claude-code", '{\r\n\t"more": true\r\n}\r\n'],
  ["claude-code", '\uFEFF{\n    "a": {\n        "b": null\n    }\n}'],
  [
    "vscode",
    '{\n  // mine\n  "inputs": [], /* x */\n  "servers": {\n    "a": { "type": "stdio", "command": "a" }, // last\n  },\n}\n',
  ],
  [
    "opencode",
    '{\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": {\n    // nothing yet\n  }\n}\n',
  ],
  ["codex", 'model = "x"'],
  [
    "codex",
    '# mine\nmodel = "x"\nlong = """\n[mcp_servers.writ]\n"""\n\n[mcp_servers.other]\ncommand = "o"\nargs = [\n  "a", # b ]\n  "[c",\n]\n',
  ],
  ["codex", "[a]\r\nb = 1\r\n"],
];

test("RN-15: what is there is kept byte for byte, and taking the entry out gives back the very same file", async () => {
  for (const [client, text] of kept) {
    await using it = testApp({ commands });
    const [file = ""] = mcpClients.find(({ id }) => id === client)?.files ?? [];
    put(it, file, text);
    expect((await it.call("mcp.install", { client })).data).toMatchObject({ changed: true, action: "added" });
    const after = read(it, file);
    let rest = after;
    // Every byte that was there is still there, in its order.
    for (const char of text.replace(/\s/g, "")) {
      expect(rest).toContain(char);
      rest = rest.slice(rest.indexOf(char) + 1);
    }
    expect(after).toContain("writ");
    expect((await it.call("mcp.install", { client })).data).toMatchObject({ changed: false });
    expect((await it.call("mcp.uninstall", { client })).data).toMatchObject({
      changed: true,
      action: "removed",
    });
    expect(read(it, file)).toBe(text);
  }
});

test("RN-15: what a user added around the entry stays when the entry goes", async () => {
  await using it = testApp({ commands });
  await it.call("mcp.install", { client: "claude-code" });
  const file = JSON.parse(read(it, ".mcp.json")) as { mcpServers: Record<string, unknown> };
  file.mcpServers.other = { command: "x" };
  put(it, ".mcp.json", JSON.stringify(file, null, 2));
  expect((await it.call("mcp.uninstall", { client: "claude-code" })).data).toMatchObject({
    action: "removed",
  });
  expect(JSON.parse(read(it, ".mcp.json"))).toEqual({ mcpServers: { other: { command: "x" } } });
});

test("RN-15: a file that is not its format is refused and not touched", async () => {
  const broken: [client: string, text: string][] = [
    ["claude-code", "not json"],
    ["claude-code", ""],
    ["claude-code", "[]"],
    ["claude-code", '{"mcpServers": []}'],
    ["claude-code", '{"mcpServers": {},}'],
    ["claude-code", "{ // a comment\n}"],
    ["claude-code", '{"a": 01}'],
    ["claude-code", `${'{"a":'.repeat(100)}1${"}".repeat(100)}`],
    ["vscode", "{ /* open"],
    ["codex", "this is no toml"],
    ["codex", 'a = "open'],
    ["codex", "a = [\n1,\n"],
    ["codex", 'mcp_servers = { other = { command = "x" } }\n'],
    ["codex", "mcp_servers.writ.command = 'x'\n"],
  ];
  for (const [client, text] of broken) {
    await using it = testApp({ commands });
    const [file = ""] = mcpClients.find(({ id }) => id === client)?.files ?? [];
    put(it, file, text);
    for (const capability of ["mcp.install", "mcp.uninstall"]) {
      expect((await it.call(capability, { client })).error).toMatchObject({
        code: "DATA_ERROR",
        exit_code: 2,
        details: { file },
      });
    }
    expect(read(it, file)).toBe(text);
  }
});

test("RN-15: an entry of that name which Writ did not write is neither replaced nor removed", async () => {
  await using it = testApp({ commands });
  const text = '{"mcpServers":{"writ":{"command":"mine"}}}';
  put(it, ".mcp.json", text);
  for (const capability of ["mcp.install", "mcp.uninstall"]) {
    expect((await it.call(capability, { client: "claude-code" })).error).toMatchObject({
      code: "E_EXISTS",
      exit_code: 2,
    });
  }
  expect(read(it, ".mcp.json")).toBe(text);
});

test("RN-15, CT-19: a dry run shows the entry and its place, and writes nothing", async () => {
  await using it = testApp({ commands });
  const dry = await it.call("mcp.install", { client: "cursor" }, { dryRun: true });
  expect(dry.data).toMatchObject({
    dry_run: true,
    changed: true,
    file: ".cursor/mcp.json",
    place: "mcpServers.writ",
    entry: { command: "writ" },
    action: "created",
  });
  expect(existsSync(join(it.root, ".cursor"))).toBe(false);
  expect(existsSync(join(it.root, ".writ"))).toBe(false);
});

test("CT-14: for people, installing says what was or would be written and where, and how to take it back", async () => {
  await using it = testApp({ commands });
  const shown = async (id: "mcp.install" | "mcp.uninstall", dryRun = false) => {
    const { data } = await it.call(id, { client: "claude-code" }, { dryRun });
    return (id === "mcp.install" ? install : uninstall).render?.(data as never, styleFor(false)).split("\n");
  };
  const entry = '  mcpServers.writ = {"command":"writ","args":["mcp"]}';
  expect(await shown("mcp.install", true)).toEqual(["Would make .mcp.json for claude-code:", entry]);
  expect(await shown("mcp.install")).toEqual([
    "Made .mcp.json for claude-code:",
    entry,
    "Undo     writ mcp uninstall --client claude-code",
  ]);
  expect(await shown("mcp.install")).toEqual([
    ".mcp.json   The configuration is already as asked. Nothing changed.",
  ]);
  expect(await shown("mcp.uninstall")).toEqual([
    "Removed .mcp.json for claude-code; the entry was mcpServers.writ.",
  ]);
});

test("RN-15, CT-22: an unknown client is refused with the nearest of the closed list", async () => {
  await using it = testApp({ commands });
  expect((await it.call("mcp.install", { client: "claude" })).error).toMatchObject({
    code: "E_UNKNOWN_CLIENT",
    exit_code: 1,
  });
  expect((await it.call("mcp.install", { client: "cursr" })).error).toMatchObject({
    details: { nearest: "cursor", known: expect.any(Array) },
  });
});

test("WS-56: nothing is written through a link", async () => {
  await using it = testApp({ commands });
  mkdirSync(join(it.home, "outside"));
  symlinkSync(join(it.home, "outside"), join(it.root, ".cursor"));
  expect((await it.call("mcp.install", { client: "cursor" })).error).toMatchObject({ code: "E_UNSAFE_LINK" });
  expect(existsSync(join(it.home, "outside/mcp.json"))).toBe(false);
  await using own = testApp({ commands });
  mkdirSync(join(own.home, "outside"));
  symlinkSync(join(own.home, "outside"), join(own.root, ".writ"));
  expect((await own.call("mcp.install", { client: "codex" })).error).toMatchObject({
    code: "E_UNSAFE_LINK",
    details: { path: ".writ" },
  });
  expect(readdirSync(join(own.home, "outside"))).toEqual([]);
});

test("RN-15: an existing opencode.jsonc is the one that is edited", async () => {
  await using it = testApp({ commands });
  put(it, "opencode.jsonc", "{\n  // mine\n}\n");
  expect((await it.call("mcp.install", { client: "opencode" })).data).toMatchObject({
    file: "opencode.jsonc",
    action: "added",
  });
  expect(existsSync(join(it.root, "opencode.json"))).toBe(false);
});

test("CT-36: each change leaves one event that names the file, and no content of it", async () => {
  await using it = testApp({ commands });
  put(it, ".mcp.json", '{"mcpServers":{"other":{"env":{"KEY":"secret-value"}}}}');
  await it.call("mcp.install", { client: "claude-code" });
  await it.call("mcp.install", { client: "claude-code" });
  await it.call("mcp.uninstall", { client: "claude-code" });
  const { data } = await it.call("ledger.list");
  expect(data.events).toMatchObject([
    { capability: "mcp.uninstall", subjects: ["file:.mcp.json"] },
    { capability: "mcp.install", subjects: ["file:.mcp.json"] },
  ]);
  expect(JSON.stringify(data)).not.toContain("secret-value");
  expect(read(it, ".writ/mcp-clients.json")).not.toContain("secret-value");
});

test("AG-158: the event of a change whose process died is appended by the next change", async () => {
  await using it = testApp({ commands });
  put(it, ".writ/writ.db", "this is no database, and long enough to be looked at".repeat(40));
  const first = await it.call("mcp.install", { client: "claude-code" });
  expect(first).toMatchObject({ ok: true, warnings: [{ code: "W_LEDGER_OWED" }] });
  writeFileSync(join(it.root, ".writ/writ.db"), "");
  await it.call("mcp.uninstall", { client: "claude-code" });
  const { data } = await it.call("ledger.list");
  expect((data.events as { capability: string }[]).map(({ capability }) => capability)).toEqual([
    "mcp.uninstall",
    "mcp.install",
  ]);
});

test("RN-15: for any JSON object, adding the entry keeps every other value, and taking it out gives back the text", () => {
  const place = { comments: false, path: ["servers", "writ"] };
  const texts = fc
    .tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 2, 4, "\t"))
    .map(([value, space]) => {
      const { servers: _, ...rest } = value;
      return JSON.stringify(
        { ...rest, ...(Object.keys(rest).length % 2 === 0 && { servers: rest }) },
        null,
        space,
      );
    });
  fc.assert(
    fc.property(texts, (text) => {
      if (readJsonAt(text, place) !== undefined) return;
      const { text: after, made } = insertJson(text, place, { command: "writ" });
      expect(readJsonAt(after, place)).toEqual({ command: "writ" });
      const { servers, ...rest } = JSON.parse(after) as { servers: Record<string, unknown> };
      const before = JSON.parse(text) as { servers?: Record<string, unknown> };
      const { writ: _, ...others } = servers;
      expect({ ...rest, ...(before.servers && { servers: others }) }).toEqual(before);
      expect(removeJson(after, place, made)).toBe(text);
    }),
  );
});
