import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import {
  type Capability,
  capability,
  type Envelope,
  fail,
  inputOf,
} from "../../packages/writ/src/contract/index.ts";
import { commandsOf, testApp } from "../support/test-app.ts";
import { noteWrite } from "../support/notes.ts";

const need = { effect: "observe", network: "never", workspace: "required" } as const;
const examples = [
  { title: "One", input: {} },
  { title: "Two", input: {} },
] as const;

function observe(run: Capability["run"], more: Partial<Capability> = {}): Capability {
  return capability({
    id: "thing.look",
    summary: "Look at a thing.",
    input: z.object({}),
    output: () => z.object({}),
    need,
    errors: [],
    examples,
    run,
    ...more,
  } as Capability & { input: z.ZodObject }) as unknown as Capability;
}

const keys = ["schema", "ok", "command", "exit_code", "data", "warnings", "error"];

async function events(
  app: ReturnType<typeof testApp>,
): Promise<{ kind: string; capability?: string; code?: string; id: string }[]> {
  return app.call("ledger.list").then((answer) => answer.data.events as never);
}

test("CT-1, CT-2: an answer has the seven fields in order, with the workspace it resolved", async () => {
  await using it = testApp();
  const answer = await it.call("token.list");
  expect(Object.keys(answer)).toEqual(keys);
  expect(answer).toMatchObject({ schema: "1", ok: true, command: "token list", exit_code: 0, error: null });
  expect(answer.data.workspace).toEqual({ root: it.root, source: "cwd" });
});

test("CT-2, CT-4, CT-5: a failure has the same seven fields, the workspace and complete data", async () => {
  const found = observe(() =>
    Promise.reject(fail("E_DRIFT", { message: "m", cause: "c", remediation: "r", data: { files: ["a"] } })),
  );
  await using it = testApp({ commands: commandsOf([found]) });
  const answer = await it.call("thing.look");
  expect(Object.keys(answer)).toEqual(keys);
  expect(answer.data).toEqual({ workspace: { root: it.root, source: "cwd" }, files: ["a"] });
  expect(answer.error).toEqual({
    code: "E_DRIFT",
    category: "data",
    message: "m",
    cause: "c",
    remediation: "r",
    exit_code: 2,
    retryable: false,
  });
  expect(answer.exit_code).toBe(2);
});

test("CT-3: a workspace found by walking up is warned about, one that was named is not", async () => {
  await using it = testApp();
  const nested = join(it.root, "a", "b");
  mkdirSync(nested, { recursive: true });
  const walked = await it.call("token.list", {}, { where: { cwd: nested }, base: nested });
  expect(walked.data.workspace).toEqual({ root: it.root, source: "cwd" });
  expect(walked.warnings).toMatchObject([
    { code: "W_WORKSPACE_WALKUP", remediation: expect.stringContaining("WRIT_WORKSPACE") },
  ]);
  const flagged = await it.call("token.list", {}, { where: { flag: it.root, env: "/nowhere", cwd: nested } });
  expect(flagged.data.workspace).toEqual({ root: it.root, source: "flag" });
  const byEnv = await it.call("token.list", {}, { where: { env: it.root, cwd: nested } });
  expect(byEnv.data.workspace).toEqual({ root: it.root, source: "env" });
  expect([...flagged.warnings, ...byEnv.warnings]).toEqual([]);
});

test("CT-11: without a workspace the error names init and --workspace, and where it looked", async () => {
  await using it = testApp({ manifest: null });
  const { error } = await it.call("token.list");
  expect(error).toMatchObject({ code: "E_NO_WORKSPACE", exit_code: 1, details: { searched_from: it.root } });
  expect(error?.remediation).toMatch(/writ init.*--workspace/);
});

test("CT-12: a defect shows no stack and no message; its trace is in a file that the error names", async () => {
  const broken = observe(() => Promise.reject(new TypeError("undefined is not a function at /secret/path")));
  await using it = testApp({ commands: commandsOf([broken]) });
  const answer = await it.call("thing.look");
  expect(answer.error).toMatchObject({ code: "INTERNAL_ERROR", category: "internal", exit_code: 1 });
  expect(JSON.stringify(answer)).not.toMatch(/secret|not a function|\.ts:/);
  const trace = readFileSync(join(it.root, String(answer.error?.details?.trace)), "utf8");
  expect(trace).toContain("undefined is not a function");
});

test("CT-9: what is missing is listed with its description and choices", async () => {
  const needy = observe(async () => ({}), {
    input: z.object({ mood: z.enum(["calm", "loud"]).describe("How to look.") }) as never,
  });
  await using it = testApp({ commands: commandsOf([needy]) });
  const { error } = await it.call("thing.look");
  expect(error).toMatchObject({ code: "E_MISSING_INPUT", exit_code: 1 });
  expect(error?.details?.missing).toEqual([
    { name: "mood", description: "How to look.", options: ["calm", "loud"] },
  ]);
});

test("CT-22: unknown fields, unknown words and unreadable values are usage; a value out of bounds is data", async () => {
  await using it = testApp();
  expect((await it.call("token.create", { rol: "admin" })).error).toMatchObject({
    code: "USAGE_ERROR",
    details: { nearest: "role" },
  });
  expect((await it.call("token.create", { role: "admn" })).error).toMatchObject({
    code: "USAGE_ERROR",
    details: { nearest: "admin" },
  });
  expect((await it.call("ledger.list", { limit: "many" })).error).toMatchObject({ code: "USAGE_ERROR" });
  expect((await it.call("ledger.list", { limit: 100_000 })).error).toMatchObject({
    code: "E_INVALID_VALUE",
    exit_code: 2,
  });
  expect((await it.call("ledger.lst")).error).toMatchObject({
    code: "USAGE_ERROR",
    details: { nearest: "ledger.list" },
  });
});

test("CT-19: a dry run has the same shape, says so and changes nothing", async () => {
  await using it = testApp();
  const before = readdirSync(it.root);
  const dry = await it.call("token.create", { role: "admin" }, { dryRun: true });
  expect(dry.data).toMatchObject({
    changed: true,
    dry_run: true,
    subject: "client:admin-token",
    role: "admin",
  });
  expect(readdirSync(it.root)).toEqual(before);
  const refused = await it.call("token.list", { dry_run: true });
  expect(refused.error?.code).toBe("USAGE_ERROR");
});

test("CT-20: an idempotency key tells a retry from a new call, and a secret is shown once", async () => {
  await using it = testApp();
  const first = await it.call("token.create", { role: "member" }, { idempotencyKey: "k1" });
  const again = await it.call("token.create", { role: "member" }, { idempotencyKey: "k1" });
  expect(first.data.token).toMatch(/^writ_[0-9a-f]{64}$/);
  expect(again.data).toMatchObject({ id: first.data.id, changed: true });
  expect(again.data).not.toHaveProperty("token");
  expect(again.warnings).toMatchObject([{ code: "W_REPLAYED", message: expect.stringContaining("token") }]);
  const other = await it.call("token.create", { role: "member" }, { idempotencyKey: "k2" });
  expect(other.data.id).not.toBe(first.data.id);
  const reused = await it.call("token.create", { role: "agent" }, { idempotencyKey: "k1" });
  expect(reused.error).toMatchObject({ code: "E_CONFLICTING_INPUT", exit_code: 1 });
  expect(await events(it)).toHaveLength(2);
});

test("CT-20: a replay says byte for byte what was answered first, also where the commit knew more or less", async () => {
  const note = noteWrite();
  const run: Capability["run"] = async (ctx, input) => {
    const { text } = (await note.run(ctx, input)) as { text: string };
    return { until: "the end", changed: true, text: `${text}, told`, after: "z" };
  };
  const output = () => z.looseObject({});
  await using it = testApp({ commands: commandsOf([{ ...note, run, output }]) });
  const key = { idempotencyKey: "k" };
  const first = await it.call("note.write", { text: "kept" }, key);
  const again = await it.call("note.write", { text: "kept" }, key);
  expect(again.warnings).toMatchObject([{ code: "W_REPLAYED" }]);
  expect(JSON.stringify(again.data)).toBe(JSON.stringify(first.data));
});

test("CT-20: a key is honoured for a day and forgotten after it", async () => {
  let now = Date.parse("2026-11-30T12:00:00Z");
  await using it = testApp({ now: () => now });
  const first = await it.call("token.create", {}, { idempotencyKey: "k" });
  now += 23 * 3_600_000;
  expect((await it.call("token.create", {}, { idempotencyKey: "k" })).data.id).toBe(first.data.id);
  now += 2 * 3_600_000;
  expect((await it.call("token.create", {}, { idempotencyKey: "k" })).data.id).not.toBe(first.data.id);
});

test("CT-20: of many calls at once with one key, one acts and the others are answered with it", async () => {
  await using it = testApp();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => it.call("token.create", {}, { idempotencyKey: "same" })),
  );
  const ids = new Set(answers.filter((one) => one.ok).map((one) => one.data.id));
  const refused = answers.filter((one) => !one.ok);
  expect(ids.size).toBe(1);
  expect(refused.every((one) => one.error?.retryable)).toBe(true);
  expect(await events(it)).toHaveLength(1);
});

test("CT-36, AG-158: an act leaves one event with its actor; an observation leaves none", async () => {
  await using it = testApp();
  await it.call("token.create", { subject: "user:bob" });
  await it.call("token.list");
  const answer = await it.call("ledger.list");
  expect(answer.data.events).toMatchObject([
    {
      seq: 1,
      actor: "user:ana",
      kind: "capability.done",
      capability: "token.create",
      subjects: ["user:bob"],
      outcome: "done",
    },
  ]);
});

test("CT-36: refused attempts to change something are noted once a minute each", async () => {
  let now = Date.parse("2026-11-30T12:00:00Z");
  await using it = testApp({ env: { WRIT_ACTOR: "client:coder" }, now: () => now });
  for (let i = 0; i < 3; i++) {
    const { error } = await it.call("token.create");
    expect(error).toMatchObject({ code: "E_HUMAN_REQUIRED", category: "policy" });
  }
  await it.call("token.list");
  expect(await events(it)).toMatchObject([
    { kind: "call.denied", capability: "token.create", code: "E_HUMAN_REQUIRED" },
  ]);
  now += 60_000;
  await it.call("token.create");
  expect(await events(it)).toHaveLength(2);
});

test("CT-37: a cancelled call says so after its run has ended, and a deadline is told apart", async () => {
  let ended = 0;
  const begun = Promise.withResolvers<void>();
  const waits = observe(
    (ctx) =>
      new Promise((_resolve, reject) => {
        begun.resolve();
        const signal = ctx.signal as AbortSignal & EventTarget;
        signal.addEventListener("abort", () => {
          ended += 1;
          reject(new Error("aborted"));
        });
      }),
  );
  await using it = testApp({ commands: commandsOf([waits]) });
  const controller = new AbortController();
  const running = it.call("thing.look", {}, { signal: controller.signal });
  await begun.promise;
  controller.abort({ exitCode: 130 });
  expect((await running).error).toMatchObject({
    code: "E_CANCELLED",
    category: "conflict",
    retryable: true,
    exit_code: 130,
  });
  expect(ended).toBe(1);
  const early = await it.call("thing.look", {}, { signal: AbortSignal.abort() });
  expect(early.error?.code).toBe("E_CANCELLED");
  expect(ended).toBe(1);
  const late = await it.call("thing.look", {}, { deadlineMs: 5 });
  expect(late.error).toMatchObject({ code: "E_DEADLINE", retryable: true, exit_code: 2 });
});

test("CT-37: what was committed before the cancel is answered as done", async () => {
  const controller = new AbortController();
  await using it = testApp({ commands: commandsOf([noteWrite(() => controller.abort())]) });
  const answer = await it.call("note.write", { text: "kept" }, { signal: controller.signal });
  expect(answer).toMatchObject({ ok: true, data: { text: "kept", changed: true } });
});

test("CT-32: a call is judged at what it needs, and may never need more than is declared", async () => {
  const raises = observe(async () => ({}), { narrow: () => ({ effect: "external" }) });
  await using it = testApp({ commands: commandsOf([raises]) });
  expect((await it.call("thing.look")).error?.code).toBe("INTERNAL_ERROR");
});

test("CT-36: an external act is noted before it begins and after it ended; a preview of it is not", async () => {
  const send = capability({
    id: "thing.send",
    summary: "Send a thing.",
    input: z.object({ push: z.boolean().default(false).describe("Really send.") }),
    output: () => z.object({}),
    need: { effect: "external", network: "may", workspace: "required" },
    narrow: ({ push }) => (push ? {} : { effect: "observe", network: "never" }),
    commits: "sql",
    errors: [],
    examples,
    run: async (ctx, { push }) => (push ? ctx.commit({}, async () => ({})) : { changed: false }),
  }) as unknown as Capability;
  const list = (await import("../../packages/writ/src/ledger/capabilities/list.ts"))
    .default as unknown as Capability;
  await using it = testApp({ commands: commandsOf([send, list]) });
  await it.call("thing.send", {});
  expect(await events(it)).toEqual([]);
  await it.call("thing.send", { push: true });
  expect((await events(it)).map((one) => one.kind)).toEqual(["capability.done", "call.started"]);
});

test("an observation has no commit, and one act commits once", async () => {
  const sneaky = observe(async (ctx) => ctx.commit({}, async () => ({})), { commits: "sql" });
  await using it = testApp({ commands: commandsOf([sneaky]) });
  expect((await it.call("thing.look")).error?.code).toBe("INTERNAL_ERROR");
});

test("AG-158: the event a file store owes is appended by the next writer, once", async () => {
  const list = (await import("../../packages/writ/src/ledger/capabilities/list.ts"))
    .default as unknown as Capability;
  let crash = true;
  const write = noteWrite(() => {
    if (crash) throw new Error("the process would have died here");
  });
  await using it = testApp({ commands: commandsOf([write, list]) });
  expect((await it.call("note.write", { text: "one" })).ok).toBe(false);
  expect(await events(it)).toEqual([]);
  crash = false;
  await it.call("note.write", { text: "two" });
  expect(await events(it)).toHaveLength(2);
  await it.call("note.write", { text: "three" });
  expect(await events(it)).toHaveLength(3);
});

test("AG-158: a change stands when its event cannot be written, and says that it owes it", async () => {
  let broken: Envelope | undefined;
  await using it = testApp({ commands: commandsOf([noteWrite()]) });
  mkdirSync(join(it.root, ".writ"), { recursive: true });
  writeFileSync(
    join(it.root, ".writ", "writ.db"),
    "this is no database, and long enough to be looked at".repeat(40),
  );
  broken = await it.call("note.write", { text: "kept" });
  expect(broken).toMatchObject({ ok: true, data: { text: "kept" }, warnings: [{ code: "W_LEDGER_OWED" }] });
});

test("CT-23: a caller that is not at the terminal opens files of the workspace only", async () => {
  const reads = observe(async (ctx) => ({ reason: await (await ctx.open("../secret.txt")).text(100) }));
  await using it = testApp({ commands: commandsOf([reads]) });
  writeFileSync(join(it.root, "..", "secret.txt"), "s");
  const far = await it.call("thing.look", {}, { credential: { token: "x" } });
  expect(far.error?.code).toBe("E_AUTH_REQUIRED");
  const near = await it.call("thing.look");
  expect(near.data.reason).toBe("s");
});

test("CT-23: input that is nested too deeply is refused before anything looks at it", async () => {
  await using it = testApp();
  let deep: unknown = 1;
  for (let i = 0; i < 10_000; i++) deep = [deep];
  const { error } = await it.call("ledger.list", { run: deep });
  expect(error).toMatchObject({ code: "E_LIMIT", details: { limit: 32 } });
});

test("CT-23: a file that is no UTF-8 is invalid data, and one over the bound names both sizes", async () => {
  const reads = observe(async (ctx) => ({ reason: await (await ctx.open("in.txt")).text(4) }));
  await using it = testApp({ commands: commandsOf([reads]) });
  writeFileSync(join(it.root, "in.txt"), Buffer.from([0xff, 0xfe]));
  expect((await it.call("thing.look")).error?.code).toBe("DATA_ERROR");
  writeFileSync(join(it.root, "in.txt"), "12345");
  expect((await it.call("thing.look")).error).toMatchObject({
    code: "E_LIMIT",
    details: { limit: 4, found: 5 },
  });
});

test("RN-1: a process that found no workspace id reads the rows that another one writes afterwards", async () => {
  await using server = testApp();
  expect((await server.call("token.list")).data.tokens).toEqual([]);
  await using other = testApp();
  const made = await other.call("token.create", {}, { where: { flag: server.root } });
  expect((await server.call("token.list")).data.tokens).toMatchObject([{ id: made.data.id }]);
});

test("what an input without any field is read as is what each schema reads of it", async () => {
  await using it = testApp();
  const simple = it.app.commands.rows.filter(({ empty }) => empty !== undefined);
  expect(simple.length).toBeGreaterThan(20);
  for (const { id, empty } of simple) {
    const schema = await inputOf(await it.app.commands.load(id));
    expect(schema.parse({}), id).toEqual(empty);
  }
});
