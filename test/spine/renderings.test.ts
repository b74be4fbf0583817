import { expect, test } from "vitest";
import keySet from "../../packages/writ/src/governance/capabilities/key-set.ts";
import ledgerExport from "../../packages/writ/src/ledger/capabilities/export.ts";
import ledgerShow from "../../packages/writ/src/ledger/capabilities/show.ts";
import storeStatus from "../../packages/writ/src/store/capabilities/status.ts";
import { envelope } from "../../packages/writ/src/contract/index.ts";
import { renderData, styleFor } from "../../packages/writ/src/surfaces/cli/render.ts";
import { testApp, type TestApp } from "../support/test-app.ts";

const style = styleFor(false);

async function withToken(): Promise<TestApp> {
  const it = testApp();
  const made = await it.call("token.create", { subject: "client:coder", role: "member" });
  expect(made.error).toBeNull();
  return it;
}

test("CT-14: for people, an event says who did what, when, and whether its rows are still so", async () => {
  await using it = await withToken();
  const { data } = await it.call("ledger.show", { event: "1" });
  const lines = ledgerShow.render?.(data as never, style).split("\n") ?? [];
  expect(lines[0]).toBe("Event 1   token create   done");
  expect(lines).toContain("Who     user:ana");
  expect(lines.filter((line) => line.endsWith("as this event left it")).length).toBeGreaterThan(0);
});

test("CT-14: for people, the store says where it is and where its ledger stands", async () => {
  await using it = await withToken();
  const { data } = await it.call("store.status");
  const shown = storeStatus.render?.(data as never, style) ?? "";
  expect(shown).toMatch(/^Database {4}SQLite {3}\.writ\/writ\.db/);
  expect(shown).toMatch(/^Ledger {6}1 event, the last one [0-9a-f]{12}$/m);
});

test("CT-14: for people, an export says what was written, who signed it, and how it is checked", async () => {
  await using it = await withToken();
  const dry = await it.call("ledger.export", {}, { dryRun: true });
  expect(ledgerExport.render?.(dry.data as never, style)).toBe("ledger.jsonl would be written.");
  const { data } = await it.call("ledger.export");
  const lines = ledgerExport.render?.(data as never, style).split("\n") ?? [];
  expect(lines[0]).toBe("Wrote 1 event to ledger.jsonl.");
  expect(lines[1]).toMatch(/^Signed at event 1, /);
  expect(lines[2]).toBe("Next  writ ledger verify --file ledger.jsonl");
});

test("CT-14: for people, a key says where it is kept, or would be", () => {
  const shown = (data: object) => keySet.render?.({ name: "OPENALEX_API_KEY", ...data }, style);
  expect(shown({ source: "keychain", changed: true })).toBe(
    "OPENALEX_API_KEY is kept in the keychain of this machine.",
  );
  expect(shown({ source: "file", changed: false })).toBe(
    "OPENALEX_API_KEY is in a file that only you can read already. Nothing changed.",
  );
  expect(shown({ changed: true })).toBe("OPENALEX_API_KEY would be kept on this machine.");
});

test.each([true, false])(
  "CT-19: for people, what a command shows ends with a line when it was a dry run (%s)",
  (dry) => {
    const answer = envelope("things make", { data: { changed: true, dry_run: dry } });
    const shown = renderData(answer, { render: () => "Would make it.\n" }, style);
    expect(shown).toBe(dry ? "Would make it.\nA dry run: nothing was changed.\n" : "Would make it.\n");
  },
);
