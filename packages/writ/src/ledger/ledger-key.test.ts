import { generateKeyPairSync } from "node:crypto";
import { mkdtempDisposableSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { appendWitness, readWitness } from "./checkpoint-file.ts";
import { isSignedBy, keyIdOf, openLedgerKey } from "./ledger-key.ts";

const folder = () => mkdtempDisposableSync(join(tmpdir(), "writ-key-"));

test("AG-162: without a key one is made, once, readable by its owner alone", async () => {
  using state = folder();
  const where = { folder: join(state.path, "writ") };
  const keys = await Promise.all([openLedgerKey(where), openLedgerKey(where), openLedgerKey(where)]);
  expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(1);
  expect(statSync(join(where.folder, "ledger_key.pem")).mode & 0o777).toBe(0o600);
  expect(statSync(where.folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(where.folder)).toEqual(["ledger_key.pem"]);
});

test("AG-162: a configured key is used, as PEM, as PEM without line breaks, and as base64", async () => {
  using state = folder();
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const base64 = privateKey.export({ type: "pkcs8", format: "der" }).toString("base64");
  const spki = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  for (const configured of [pem, pem.replaceAll("\n", "\\n"), base64]) {
    const key = await openLedgerKey({ folder: state.path, configured });
    expect([key.keyId, key.publicKey]).toEqual([keyIdOf(spki), spki]);
    expect(isSignedBy(spki, "text", key.sign("text"))).toBe(true);
    expect(isSignedBy(spki, "other", key.sign("text"))).toBe(false);
  }
  expect(readdirSync(state.path)).toEqual([]);
});

test("AG-162: a key of another kind is refused without a word of it", async () => {
  using state = folder();
  const rsa = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    type: "pkcs8",
    format: "pem",
  });
  for (const configured of ["secret-but-no-key", rsa.toString()]) {
    const error = await openLedgerKey({ folder: state.path, configured }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "E_INVALID_VALUE" });
    expect(JSON.stringify((error as { failure: unknown }).failure)).not.toContain(configured.slice(0, 16));
  }
});

test("AG-162: the installation's checkpoints are told by workspace, and a torn line hides no other", async () => {
  using state = folder();
  const line = {
    workspace: "ws_1",
    seq: 1,
    hash: "h",
    at: "2026",
    key_id: "k",
    signature: "s",
    public_key: "p",
  };
  await appendWitness(state.path, line);
  await appendWitness(state.path, { ...line, workspace: "ws_2" });
  writeFileSync(join(state.path, "ledger_checkpoints.jsonl"), '{"workspace":"ws_1","se\n', { flag: "a" });
  await appendWitness(state.path, { ...line, seq: 2 });
  expect((await readWitness(state.path, "ws_1")).map(({ seq }) => seq)).toEqual([1, 2]);
  expect(await readWitness(join(state.path, "none"), "ws_1")).toEqual([]);
});
