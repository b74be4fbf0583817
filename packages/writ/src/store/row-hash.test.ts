import { expect, test } from "vitest";
import { rowHash, withRowHash } from "./row-hash.ts";

const token = {
  workspace_id: "ws_1",
  id: "tok_1",
  role: "member",
  hash: "h",
  last_used_at: null,
  expires_at: null,
};

test("AG-163: what changes without an event is no part of a row's hash", () => {
  expect(rowHash("tokens", { ...token, last_used_at: "2026-11-30T09:00:00.000Z" })).toBe(
    rowHash("tokens", token),
  );
});

test("AG-163: everything else is", () => {
  for (const change of [{ role: "owner" }, { id: "tok_2" }, { expires_at: "2026" }, { hash: "i" }]) {
    expect(rowHash("tokens", { ...token, ...change })).not.toBe(rowHash("tokens", token));
  }
});

test("a row hashes the same before it is inserted and after it is read, whatever its order and nulls", () => {
  const { workspace_id, ...rest } = token;
  const read = {
    row_hash: "x",
    revoked_at: null,
    ...Object.fromEntries(Object.entries(rest).reverse()),
    workspace_id,
  };
  expect(rowHash("tokens", read)).toBe(withRowHash("tokens", token).row_hash);
});
