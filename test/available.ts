import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect } from "vitest";

const onPath = (...programs: string[]): boolean =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .some((folder) => programs.some((program) => existsSync(join(folder, program))));

/** Tries it: only root on Linux may, and not in every container. */
function mounts(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "writ-mount-"));
  const done = (...line: string[]) =>
    spawnSync(line[0] ?? "", line.slice(1), { stdio: "ignore" }).status === 0;
  try {
    return done("mount", "-t", "tmpfs", "tmpfs", folder) && done("umount", "-l", folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const needs = {
  postgres: {
    found: () => Boolean(process.env.WRIT_TEST_POSTGRES_URL),
    hint: "set WRIT_TEST_POSTGRES_URL to the URL of a server whose databases tests may create and drop",
  },
  chromium: {
    found: () => onPath("chromium", "chromium-browser", "google-chrome"),
    hint: "apt-get install --no-install-recommends chromium",
  },
  bubblewrap: {
    found: () => onPath("bwrap"),
    hint: "apt-get install --no-install-recommends bubblewrap",
  },
  mount: {
    found: mounts,
    hint: "run as root, where a container may mount: disks that are full are small ones, mounted for a test",
  },
} as const;

/**
 * Whether what a suite needs is on this machine: `describe.runIf(available("postgres", "store on PostgreSQL"))`.
 *
 * An absence is written down under the suite's name, so that the test run can name what it did not
 * prove; with WRIT_TEST_REQUIRE_ALL=1, as in CI, it is a failure instead.
 */
export function available(need: keyof typeof needs, suite = currentFile()): boolean {
  const { found, hint } = needs[need];
  if (found()) return true;
  if (process.env.WRIT_TEST_REQUIRE_ALL === "1") {
    throw new Error(`${suite} needs ${need}, and WRIT_TEST_REQUIRE_ALL=1 allows no absence: ${hint}.`);
  }
  const record = process.env.WRIT_TEST_ABSENT_FILE;
  if (record) appendFileSync(record, `${JSON.stringify({ suite, need, hint })}\n`);
  return false;
}

function currentFile(): string {
  return expect.getState().testPath ?? "an unnamed suite";
}
