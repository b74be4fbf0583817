import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { createApp } from "../../packages/writ/src/app/index.ts";
import { createSettings } from "../../packages/writ/src/platform/index.ts";
import { loadAdapter } from "../../packages/writ/src/reasoning/advisors/load.ts";
import { adapterFacts } from "../../packages/writ/src/reasoning/advisors/table.ts";
import { circuitOf } from "../../packages/writ/src/reasoning/availability/circuit.ts";
import { findPresence } from "../../packages/writ/src/reasoning/availability/presence.ts";
import { readTables } from "../../packages/writ/src/reasoning/catalogue/read.ts";
import { sources, walk } from "../architecture/source.ts";
import { testClock } from "../support/test-clock.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { alphaEntry, bedNone, betaEntry } from "./bed.ts";

test("RS-17: only the settings tell what the environment holds, and only a dialect asks for a key", async () => {
  const wrong: string[] = [];
  const readers = new Set<string>();
  let secrets = 0;
  for (const source of sources("reasoning/**/*.ts")) {
    walk(source.tree, (node, [above]) => {
      if (node.type === "Identifier" && node.name === "process" && above?.property !== node)
        wrong.push(`${source.file} knows the process`);
      if (node.type === "ImportDeclaration") {
        const from = String((node.source as { value?: unknown }).value);
        if (/^(node:)?process$/.test(from)) wrong.push(`${source.file} imports ${from}`);
      }
      if (node.type !== "CallExpression") return;
      const callee = node.callee as { type: string; property?: { name?: string } };
      if (callee.type !== "MemberExpression") return;
      if (callee.property?.name === "environment") readers.add(source.file);
      if (callee.property?.name !== "secret") return;
      secrets++;
      if (!source.file.startsWith("reasoning/advisors/")) wrong.push(`${source.file} asks for a key`);
    });
  }
  expect(wrong).toEqual([]);
  expect(secrets).toBeGreaterThan(0);
  // Who is handed the whole of it: presence and mode look names up, git and the dialects get what they need of it.
  expect([...readers].toSorted()).toEqual([
    "reasoning/availability/presence.ts",
    "reasoning/consult/ask-all.ts",
    "reasoning/reuse/checkout.ts",
    "reasoning/settings/room.ts",
  ]);
  await using bed = bedNone({ advisors: [betaEntry] });
  const { catalogue } = await readTables(bed.root);
  const env = { BETA_KEY: "b-secret", BETA_URL: "https://b.test" };
  const found = findPresence(catalogue, { settings: createSettings(env), root: bed.root });
  expect(found.get("beta")).toEqual({
    credentialSet: true,
    address: "https://b.test",
    executableFound: false,
  });
});

test("RS-23: what a link on PATH leads to inside the workspace is no program, as what lies there is none", async () => {
  await using bed = bedNone({ advisors: [alphaEntry] });
  using temp = tempFolder();
  const own = join(bed.root, "tools");
  for (const folder of [own, temp.file("bin"), temp.file("safe")]) mkdirSync(folder);
  writeFileSync(join(own, "alpha"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(temp.file("real"), "#!/bin/sh\n", { mode: 0o755 });
  symlinkSync(own, temp.file("folder"));
  symlinkSync(join(own, "alpha"), temp.file("bin/alpha"));
  symlinkSync(temp.file("real"), temp.file("safe/alpha"));
  const { catalogue } = await readTables(bed.root);
  const found = (PATH: string) =>
    findPresence(catalogue, { settings: createSettings({ PATH }), root: bed.root }).get("alpha")
      ?.executableFound;
  expect(found(own)).toBe(false);
  expect(found(temp.file("folder"))).toBe(false);
  expect(found(temp.file("bin"))).toBe(false);
  expect(found([temp.file("bin"), temp.file("safe")].join(delimiter))).toBe(true);
});

test("RS-122: the limits are told where people read, and are as told", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/reasoning.md"), "utf8");
  const [, limits = ""] = page.split("\n## Limits\n");
  const bullets = limits
    .split("\n- ")
    .map((bullet) => bullet.replace(/\s+/g, " ").trim())
    .filter((bullet) => bullet !== "");
  const said = [
    /cannot know that an advisor answers until somebody asks.*wrong key.*for an hour/,
    /materiality.*facts and validations are statements of the session/i,
    /both the records and the ledger can rewrite history.*digest/,
    /runs with your home folder and adds its own instructions; a dry run says so/,
  ];
  expect(said.map((limit) => bullets.filter((bullet) => limit.test(bullet)).length)).toEqual([1, 1, 1, 1]);
  const refused = [{ id: "c1", at: 0, outcome: "auth_failed" as const }];
  expect([3599, 3600].map((seconds) => circuitOf(refused, { now: seconds * 1000 }).open?.class)).toEqual([
    "authentication",
    undefined,
  ]);
  const programs = Object.entries(adapterFacts).filter(([, { transports }]) => transports.includes("cli"));
  expect(programs.length).toBeGreaterThan(2);
  for (const [name] of programs) {
    const { complete, notes } = (await loadAdapter(name)).describe({
      advisor: {
        id: "a",
        adapter: name,
        executable: "a",
        access: "brief",
        root: "/w",
        env: [],
        max_tokens_field: "max_tokens",
        json_mode: false,
        localOnly: false,
      },
      prompt: "p",
      maxOutputTokens: 10,
      parameters: {},
    });
    expect([name, complete]).toEqual([name, false]);
    expect(notes.join(" "), name).toMatch(/own instructions/);
  }
});

test("RS-124: a record that was written under a clock set for a test says so, and a check warns of it", async () => {
  await using bed = bedNone();
  const plain = await bed.assess("x", "low");
  const stamp = "2026-11-30T11:59:59.000Z";
  const app = createApp({
    env: bed.env,
    platform: process.platform,
    home: bed.app.home,
    login: "ana",
    clock: testClock(stamp),
  });
  const { data } = await app.execute({
    capability: "reasoning.record",
    surface: "cli",
    input: { record: { kind: "attempt", attempt: "a", observed_failure: "f" } },
    where: { flag: bed.root },
    base: bed.root,
    credential: { terminal: true },
    signal: new AbortController().signal,
  });
  await app.close();
  const set = (data.record as { id: string }).id;
  const told = async (id: string) => (await bed.ok<{ record: object }>("reasoning.explain", { id })).record;
  expect(await told(set)).toMatchObject({ test_clock: true, recorded_at: stamp });
  expect(await told(plain)).not.toHaveProperty("test_clock");
  const { ok, findings } = await bed.ok<{ ok: boolean; findings: object[] }>("reasoning.check");
  expect([ok, findings]).toEqual([
    true,
    [expect.objectContaining({ level: "warning", subject: set, rules: ["test_clock"] })],
  ]);
  // It can be shifted too, and the program that is published has no such switch.
  const shifted = testClock("-PT2H").now() - Date.now();
  expect(Math.round(shifted / 60_000)).toBe(-120);
  expect(testClock("2030-01-01T00:00:00Z").now()).toBe(Date.UTC(2030, 0, 1));
  const readers = sources().filter(({ text }) => /env(\.|\(|\[)"?WRIT_TEST_CLOCK/.test(text));
  expect(readers.map(({ file }) => file)).toEqual([]);
});
