import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/fixtures/temp-folder.ts";
import { type Envelope, envelope } from "../../contract/index.ts";
import { fromHere } from "./from-here.ts";

function shown(root: string, cwd: string, remediation: string): string {
  const workspace = { root, source: "cwd" };
  const answer = envelope("x", { data: { workspace, next: [remediation], told: remediation } });
  const { data } = fromHere({ ...answer } as Envelope, cwd);
  expect(data.told).toBe(remediation);
  return (data.next as string[])[0] ?? "";
}

test("CT-6: a command line works when it is pasted where the caller stands", () => {
  using temp = tempFolder();
  const [root, sub] = [temp.path, join(temp.path, "a", "b")];
  mkdirSync(sub, { recursive: true });
  for (const file of ["lib.db", "it's.md", "both.md", "a/b/both.md"]) writeFileSync(join(root, file), "");
  const move = "Move it away and begin anew: mv lib.db lib.db.damaged && writ research seed --spec e.yml";
  expect(shown(root, root, move)).toBe(move);
  expect(shown(root, sub, move)).toBe(
    "Move it away and begin anew: cd ../.. && mv lib.db lib.db.damaged && writ research seed --spec e.yml",
  );
  expect(shown(root, sub, "Look at it (ls -ld lib.db), then: writ bootstrap")).toBe(
    "Look at it (cd ../.. && ls -ld lib.db), then: writ bootstrap",
  );
  expect(shown(root, sub, "Move them away (mv a a.old) or declare another path")).toBe(
    "Move them away (cd ../.. && mv a a.old) or declare another path",
  );
  // What is not of the root, or is where one stands, and what names no file stays.
  for (const line of [
    "writ status",
    "ls -ld both.md",
    "rm none.md",
    "Look: ls -ld /etc/x",
    "writ diff --patch .",
  ])
    expect(shown(root, sub, line)).toBe(line);
});
