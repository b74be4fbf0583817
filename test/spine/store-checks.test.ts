import { DatabaseSync } from "node:sqlite";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Capability, Check } from "../../packages/writ/src/contract/index.ts";
import doctor from "../../packages/writ/src/workspace/capabilities/doctor.ts";
import tokenCreate from "../../packages/writ/src/governance/capabilities/token-create.ts";
import { commandsOf, type TestApp, testApp } from "../support/test-app.ts";

const commands = commandsOf([doctor, tokenCreate] as unknown as Capability[]);
const ids = ["store.schema", "ledger.chain", "ledger.checkpoints"];

async function checks(it: TestApp): Promise<Record<string, Pick<Check, "status" | "message">>> {
  const { data } = await it.call("workspace.doctor", { offline: true });
  const found = (data.checks as Check[]).filter(({ id }) => ids.includes(id));
  return Object.fromEntries(found.map(({ id, status, message }) => [id, { status, message }]));
}

/** Changes the store behind the program's back, as only the owner of the file can. */
function tamper(it: TestApp, sql: string): void {
  const database = new DatabaseSync(join(it.root, ".writ", "writ.db"));
  for (const { name } of database.prepare("select name from sqlite_master where type = 'trigger'").all()) {
    database.exec(`drop trigger "${String(name)}"`);
  }
  database.exec(sql);
  database.close();
}

test("CT-33, AG-162: doctor looks at the store and the ledger, and skips them where nothing was recorded", async () => {
  await using it = testApp({ commands });
  expect(await checks(it)).toMatchObject({
    "store.schema": { status: "skipped" },
    "ledger.chain": { status: "skipped" },
    "ledger.checkpoints": { status: "skipped" },
  });
  await it.call("token.create");
  expect(await checks(it)).toMatchObject({
    "store.schema": { status: "ok", message: expect.stringContaining("sqlite") },
    "ledger.chain": { status: "ok", message: "1 event, each as it was written" },
    "ledger.checkpoints": { status: "ok" },
  });
});

test("AG-162: an event that was changed fails ledger.chain, with the command that shows more", async () => {
  await using it = testApp({ commands });
  await it.call("token.create");
  tamper(it, "update ledger_events set actor = 'user:mallory'");
  const answer = await it.call("workspace.doctor", { check: "ledger.chain" });
  expect(answer.error).toMatchObject({
    code: "E_DOCTOR_FAILED",
    exit_code: 2,
    details: { failed: ["ledger.chain"] },
  });
  expect((answer.data.checks as Check[])[0]).toMatchObject({
    status: "fail",
    fixable: false,
    remediation: expect.stringContaining("writ ledger verify"),
  });
});

test("RN-5: a store that is no store of Writ's fails store.schema, and what needs it is skipped", async () => {
  await using it = testApp({ commands });
  mkdirSync(join(it.root, ".writ"));
  writeFileSync(
    join(it.root, ".writ", "writ.db"),
    "this is no database, and long enough to be looked at".repeat(40),
  );
  expect(await checks(it)).toMatchObject({
    "store.schema": { status: "fail" },
    "ledger.chain": { status: "skipped" },
  });
});

test("CT-33: outside a workspace the store's checks are skipped", async () => {
  await using it = testApp({ commands, manifest: null });
  expect(await checks(it)).toMatchObject({
    "store.schema": { status: "skipped" },
    "ledger.chain": { status: "skipped" },
  });
});

test("AG-162: where the installation's own checkpoints cannot be read doctor says so, and the chain is verified", async () => {
  await using it = testApp({ commands });
  await it.call("token.create");
  const at = join(it.home, ".local/state/writ/ledger_checkpoints.jsonl");
  rmSync(at, { force: true });
  mkdirSync(at, { recursive: true });
  expect(await checks(it)).toMatchObject({
    "ledger.chain": { status: "ok" },
    "ledger.checkpoints": { status: "fail", message: expect.stringContaining("ledger_checkpoints.jsonl") },
  });
});
