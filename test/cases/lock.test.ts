import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { composedCase, makeCase, succeeded } from "./cases.ts";

test("WC-D4: autocrlf, another home, locale and time zone leave the lock and what is composed byte for byte", async () => {
  using reference = await composedCase();
  using other = makeCase();
  const home = join(other.f.folder, "another home");
  mkdirSync(home);
  writeFileSync(join(home, ".gitconfig"), "[core]\n\tautocrlf = true\n\teol = crlf\n");
  const env = {
    HOME: home,
    GIT_CONFIG_GLOBAL: join(home, ".gitconfig"),
    LANG: "tr_TR.UTF-8",
    LC_ALL: "tr_TR.UTF-8",
    TZ: "Pacific/Kiritimati",
  };
  succeeded(await other.run("bootstrap", { env }));
  for (const path of ["workspace.lock.yml", "CLAUDE.md", ".agents/INDEX.md", ".agents/rules/r1.md"]) {
    expect(other.read(path), path).toBe(reference.read(path));
  }
});
