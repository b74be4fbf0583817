import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FixtureHost, type FixtureRepo, makeHost } from "../../test/fixtures/repositories.ts";
import { tempFolder } from "../../test/fixtures/temp-folder.ts";
import type { Place } from "./writ.ts";

export interface Shape {
  stacks: number;
  filesPerStack: number;
  /** Product repositories, declared by the first stack. */
  repos?: number;
}

/** Stacks and product repositories on a forge of this machine, and workspaces that use all of them. */
export interface Bed extends Disposable {
  host: FixtureHost;
  stacks: FixtureRepo[];
  repos: FixtureRepo[];
  folder: string;
  /** The environment of every program that is measured: nothing of this machine's. */
  env: Record<string, string>;
  /** A new workspace, declared and not yet composed. */
  workspace(name: string, options?: { cache?: string; base?: string }): Place;
}

// About as long as a rule or a skill that people write.
const paragraph = "Say what was done, and why, in words a reader can check against the change itself.\n";

/** Builds the forge. */
export function makeBed({ stacks: count, filesPerStack, repos: repoCount = 0 }: Shape): Bed {
  const temp = tempFolder("writ-bench");
  const host = makeHost(temp.file("host"));
  const repos = Array.from({ length: repoCount }, (_, i) =>
    host.repo(`t/repo-${i}`, {
      files: Object.fromEntries(files(30).map((name) => [`src/${name}.txt`, textOf(i, name)])),
    }),
  );
  const stacks = Array.from({ length: count }, (_, i) =>
    host.repo(`t/stack-${i}`, { files: { "awac.yml": manifestOf(i, repos), ...rulesOf(i, filesPerStack) } }),
  );
  const home = temp.file("home");
  mkdirSync(home);
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    WRIT_GIT_BASE: host.url,
    WRIT_GIT_PROTOCOLS: "file",
    WRIT_REGISTRY: "t/stack-0",
    // Shared by every workspace, as it is on a machine where Writ was used before; the caches of git are not.
    NODE_COMPILE_CACHE: temp.file("compile"),
  };
  const names = stacks.map(({ name }) => name).join(", ");
  return {
    host,
    stacks,
    repos,
    folder: temp.path,
    env,
    workspace(name, { cache = "cache", base = host.url } = {}) {
      const cwd = temp.file(name);
      mkdirSync(cwd);
      writeFileSync(join(cwd, "workspace.yml"), `name: bench\nschema: awac/2\nstacks: [${names}]\n`);
      return { cwd, env: { ...env, WRIT_GIT_BASE: base, WRIT_CACHE_DIR: temp.file(cache) } };
    },
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}

function files(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `f${String(i).padStart(4, "0")}`);
}

function manifestOf(stack: number, repos: readonly FixtureRepo[]): string {
  const declared = repos.map(({ name }) => `  - name: ${name.split("/")[1]}\n`).join("");
  return `product: t${stack}\n${stack === 0 && declared !== "" ? `repos:\n${declared}` : ""}`;
}

function rulesOf(stack: number, count: number): Record<string, string> {
  return Object.fromEntries(
    files(count).map((name) => [`workflows/s${stack}-${name}.md`, textOf(stack, name)]),
  );
}

function textOf(of: number, name: string): string {
  return `# ${name} of ${of}\n\n${paragraph.repeat(12)}`;
}
