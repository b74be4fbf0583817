import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Call, Command, Role } from "../../packages/writ/src/contract/index.ts";
import { commands } from "../../packages/writ/src/generated/commands.ts";
import { allow, isAtLeast, roles } from "../../packages/writ/src/governance/index.ts";
import { parseExpiry } from "../../packages/writ/src/governance/expiry.ts";
import { testApp } from "../support/test-app.ts";

const by = (token: unknown): Partial<Call> => ({ surface: "http", credential: { token: String(token) } });

test("AG-28: the person at the terminal is the owner; an agent client's mark lowers them to that client", async () => {
  await using person = testApp();
  expect((await person.call("token.create")).ok).toBe(true);
  await using agent = testApp({ env: { CLAUDECODE: "1" } });
  const { error } = await agent.call("token.create");
  expect(error).toMatchObject({ code: "E_HUMAN_REQUIRED", exit_code: 2 });
  expect(error?.remediation).toContain("user:ana");
  expect(error?.remediation).toContain("writ token create");
  const asked = await agent.call("token.create", { role: "owner", subject: "user:bob" });
  expect(asked.error?.remediation).toBe(
    "Ask user:ana to run: writ token create --subject user:bob --role owner",
  );
  const stdio = await person.call("token.create", {}, { surface: "mcp" });
  expect(stdio.error).toMatchObject({
    code: "E_HUMAN_REQUIRED",
    cause: expect.stringContaining("client:mcp"),
  });
  const wrong = await testApp({ env: { WRIT_ACTOR: "user:root" } }).call("token.list");
  expect(wrong.error).toMatchObject({ code: "E_INVALID_VALUE" });
});

test("AG-29: a token is 256 random bits, shown once, and kept as a hash only", async () => {
  await using it = testApp();
  const made = await it.call("token.create", { subject: "client:coder", role: "agent" });
  expect(made.data.token).toMatch(/^writ_[0-9a-f]{64}$/);
  const secret = String(made.data.token).slice(5);
  for (const file of ["writ.db", "writ.db-wal"]) {
    expect(readFileSync(join(it.root, ".writ", file)).includes(secret), file).toBe(false);
  }
  const listed = await it.call("token.list");
  expect(JSON.stringify(listed)).not.toContain(secret);
  expect(listed.data.tokens).toMatchObject([{ id: made.data.id, subject: "client:coder", role: "agent" }]);
});

test("AG-29: revoking counts at the next call, also when another process did it", async () => {
  await using it = testApp();
  const made = await it.call("token.create", { subject: "user:bob", role: "admin" });
  expect((await it.call("token.list", {}, by(made.data.token))).ok).toBe(true);
  await using other = testApp();
  const elsewhere = { where: { flag: it.root } };
  expect((await other.call("token.revoke", { id: made.data.id }, elsewhere)).data.revoked).toEqual([
    made.data.id,
  ]);
  const { error } = await it.call("token.list", {}, by(made.data.token));
  expect(error).toMatchObject({ code: "E_AUTH_REQUIRED", category: "auth", exit_code: 2 });
});

test("AG-29: a proof of admission holds for one call, and a revoked token has no second one", async () => {
  await using it = testApp();
  const made = await it.call("token.create", { subject: "user:bob", role: "admin" });
  const [credential, where] = [{ token: String(made.data.token) }, { flag: it.root }];
  const { admission } = await it.app.authenticate(credential, where);
  const shown: Partial<Call> = { surface: "http", credential, where, admission };
  expect(admission).toBeDefined();
  await it.call("token.revoke", { id: made.data.id });
  const elsewhere = await it.call("token.list", {}, { ...shown, credential: { token: "writ_other" } });
  expect(elsewhere.error).toMatchObject({ code: "E_AUTH_REQUIRED" });
  expect((await it.call("token.list", {}, shown)).ok).toBe(true);
  expect((await it.call("token.list", {}, shown)).error).toMatchObject({ code: "E_AUTH_REQUIRED" });
});

test("AG-28: the terminal gets no proof of admission: who sits there depends on the surface", async () => {
  await using it = testApp();
  const { admission } = await it.app.authenticate({ terminal: true }, { flag: it.root });
  expect(admission).toBeUndefined();
});

test("CT-10: what is unknown, absent or expired needs authority, and the remediation is a command", async () => {
  let now = Date.parse("2026-11-30T00:00:00Z");
  await using it = testApp({ now: () => now });
  const made = await it.call("token.create", { expires: "1d", role: "admin" });
  expect((await it.call("token.list", {}, by(made.data.token))).ok).toBe(true);
  now += 25 * 3_600_000;
  for (const credential of [{}, { token: "writ_nonsense" }, { token: String(made.data.token) }]) {
    const { error } = await it.call("token.list", {}, { surface: "http", credential });
    expect(error).toMatchObject({ code: "E_AUTH_REQUIRED", exit_code: 2 });
    expect(error?.remediation).toContain("writ token create");
  }
});

test("AG-27: a principal has one role; another is refused until its tokens are revoked", async () => {
  await using it = testApp();
  await it.call("token.create", { subject: "user:bob", role: "member" });
  const { error } = await it.call("token.create", { subject: "user:bob", role: "admin" });
  expect(error).toMatchObject({ code: "E_EXISTS", details: { role: "member" } });
  await it.call("token.revoke", { subject: "user:bob" });
  expect((await it.call("token.create", { subject: "user:bob", role: "admin" })).ok).toBe(true);
  expect((await it.call("ledger.verify")).data).toMatchObject({ ok: true });
});

test("AG-27: a member makes no token, an admin no owner's, and an owner both", async () => {
  await using it = testApp();
  const token = async (role: Role) =>
    (await it.call("token.create", { subject: `user:${role}`, role })).data.token;
  const [member, admin, owner] = [await token("member"), await token("admin"), await token("owner")];
  expect((await it.call("token.create", {}, by(member))).error?.code).toBe("E_ROLE_REQUIRED");
  expect((await it.call("token.create", { role: "owner", subject: "user:x" }, by(admin))).error?.code).toBe(
    "E_ROLE_REQUIRED",
  );
  expect((await it.call("token.create", { role: "member", subject: "user:y" }, by(admin))).ok).toBe(true);
  expect((await it.call("token.create", { role: "owner", subject: "user:z" }, by(owner))).ok).toBe(true);
  expect((await it.call("token.revoke", { subject: "user:owner" }, by(admin))).error?.code).toBe(
    "E_ROLE_REQUIRED",
  );
});

test("AG-27: the last owner that holds a token is not removed by a caller with a token", async () => {
  await using it = testApp();
  const owner = await it.call("token.create", { subject: "user:boss", role: "owner" });
  const refused = await it.call("token.revoke", { subject: "user:boss" }, by(owner.data.token));
  expect(refused.error).toMatchObject({ code: "E_LAST_OWNER", exit_code: 2 });
  expect((await it.call("token.revoke", { subject: "user:boss" })).ok).toBe(true);
});

test("CT-20: revoking again changes nothing and says so; an unknown id names the nearest", async () => {
  await using it = testApp();
  const made = await it.call("token.create");
  await it.call("token.revoke", { id: made.data.id });
  const again = await it.call("token.revoke", { id: made.data.id });
  expect(again).toMatchObject({ ok: true, data: { changed: false, revoked: [] } });
  const unknown = await it.call("token.revoke", { id: "tok_x" });
  expect(unknown.error?.code).toBe("E_NOT_FOUND");
  expect((await it.call("token.revoke")).error?.code).toBe("E_MISSING_INPUT");
  expect((await it.call("token.revoke", { id: "a", subject: "b" })).error?.code).toBe("E_CONFLICTING_INPUT");
});

test("an expiry is a day, an instant or a time from now, and never in the past", () => {
  const now = Date.parse("2026-11-30T00:00:00Z");
  expect(parseExpiry("30d", now)).toBe("2026-12-30T00:00:00.000Z");
  expect(parseExpiry("2027-01-31", now)).toBe("2027-01-31T00:00:00.000Z");
  for (const text of ["2020-01-01", "soon", "0d", "1e9d", ""]) {
    expect(() => parseExpiry(text, now), text).toThrow(/E_INVALID_VALUE/);
  }
});

test("AG-27: a stronger role is never refused what a weaker one may", () => {
  const command = fc.constantFrom(...commands);
  const role = fc.constantFrom<Role>(...roles);
  const may = (of: Command, who: Role): boolean => {
    try {
      allow({ actor: "user:x", role: who }, of, { need: of.need, input: {} });
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(command, role, role, (of, one, other) => {
      expect(!isAtLeast(one, other) || may(of, one) || !may(of, other)).toBe(true);
    }),
  );
});

test("AG-28: a token is looked up in the served workspace, also by a call that needs none", async () => {
  await using it = testApp();
  const made = await it.call("token.create", { role: "agent" });
  expect((await it.call("schema", {}, by(made.data.token))).ok).toBe(true);
  expect((await it.call("schema", {}, by("writ_wrong"))).error?.code).toBe("E_AUTH_REQUIRED");
});
