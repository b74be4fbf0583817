import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the installed package, as a user has it. */
    installed: string;
  }
}

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/** Packs the built package once and installs the tarball into a folder of its own, for all end-to-end tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prefix = await mkdtemp(join(tmpdir(), "writ-installed-"));
  // Some tests run it as another user.
  await chmod(prefix, 0o755);
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", prefix], {
    cwd: join(root, "packages/writ"),
  });
  const [{ filename }] = JSON.parse(stdout);
  await writeFile(join(prefix, "package.json"), '{"private":true}');
  await install(prefix, filename);
  project.provide("installed", join(prefix, "node_modules/writ"));
  return () => rm(prefix, { recursive: true, force: true });
}

async function install(prefix: string, tarball: string): Promise<void> {
  const flags = ["--prefer-offline", "--no-audit", "--no-fund", "--fetch-retries=0"];
  try {
    await run("npm", ["install", ...flags, `./${tarball}`], { cwd: prefix, timeout: 60_000 });
  } catch (error) {
    // Without a registry the same files are unpacked by hand; only the resolving of dependencies goes untried.
    console.warn(`npm install failed (${String(error).split("\n")[0]}); the tarball is unpacked instead.`);
    const target = join(prefix, "node_modules/writ");
    await mkdir(target, { recursive: true });
    await run("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"], { cwd: prefix });
    for (const native of ["@napi-rs", "@duckdb"]) {
      await symlink(join(root, "node_modules", native), join(prefix, "node_modules", native));
    }
  }
}
