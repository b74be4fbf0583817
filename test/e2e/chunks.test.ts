import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { launcher, writ } from "./harness.ts";
import { workspace } from "./workspace.ts";

const dist = (): string => join(dirname(launcher()), "../dist");

/** Words that a library leaves in the bundle, whatever its names were made into. */
const libraries = {
  zod: /_zod\b/,
  kysely: /kysely/i,
  pg: /client_encoding/,
  hono: /Context is not finalized/,
  mcp: /notifications\/progress/,
  yaml: /tag:yaml\.org,2002/,
  sqlite: /node:sqlite/,
};

/** Writes down every file that is loaded, also those loaded by import() or require. */
const hook = `
  import { appendFileSync } from "node:fs";
  import { registerHooks } from "node:module";
  registerHooks({
    load(url, context, next) {
      appendFileSync(process.env.LOADED, url + "\\n");
      return next(url, context);
    },
  });`;

/** The chunks that one command loads, by name, in the order of the alphabet. */
async function loadedBy(args: readonly string[]): Promise<{ names: string[]; libraries: string[] }> {
  using it = workspace();
  // What was read before need not be read again.
  await writ(args, { cwd: it.cwd });
  const told = join(it.cwd, "..", "loaded");
  const env = { LOADED: told, NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hook)}` };
  const ran = await writ(args, { cwd: it.cwd, env });
  expect(ran.code, ran.stderr).toBe(0);
  const urls = [...new Set(readFileSync(told, "utf8").trim().split("\n"))];
  const files = urls.filter((url) => url.includes("/dist/")).map((url) => basename(url));
  return { names: [...new Set(files.map(nameOf))].toSorted(), libraries: librariesIn(files) };
}

/** "token-list-Ab12Cd34.js" is the chunk "token-list". */
function nameOf(file: string): string {
  return file.replace(/(-[\w-]{8})?\.js$/, "");
}

function librariesIn(files: readonly string[]): string[] {
  const text = files.map((file) => readFileSync(pathOf(file), "utf8")).join("\n");
  return Object.entries(libraries).flatMap(([name, words]) => (words.test(text) ? [name] : []));
}

function pathOf(file: string): string {
  const chunk = join(dist(), "chunks", file);
  return existsSync(chunk) ? chunk : join(dist(), file);
}

test("every library that is told apart here stands somewhere in the bundle", () => {
  const all = globSync("{*,chunks/*}.js", { cwd: dist() }).map((file) => basename(file));
  expect(librariesIn(all)).toEqual(Object.keys(libraries));
});

test("--version loads the entry and nothing else", async () => {
  expect(await loadedBy(["--version"])).toEqual({ names: ["main"], libraries: [] });
});

/** What every command loads before it knows what it was asked. */
const spine = ["main", "start"];

describe("asking about the program loads no library", () => {
  test.each([
    [["--help"], spine],
    [["token", "create", "--help"], spine],
    [["--completions", "bash"], spine],
    [["--agent-manifest"], ["main", "manual", "start"]],
  ])("%j", async (args, names) => {
    expect(await loadedBy(args)).toEqual({ names, libraries: [] });
  });
});

/** Most capabilities declare their input with zod, so that is what calling one costs. */
const called = [...spine, "schemas"];

describe("a call loads its own capability and what that uses", () => {
  test.each([
    [["schema"], [...called, "documents", "manual", "schema"], ["zod"]],
    [
      ["token", "list"],
      [
        ...called,
        "migrations",
        "open",
        "open-folder",
        "own-file",
        "register-workspace",
        "restore",
        "sql",
        "store",
        "token-list",
      ],
      ["zod", "kysely", "sqlite"],
    ],
    // Asked for all day, so it reads its input without.
    [["status"], [...spine, "blocks", "status"], ["sqlite"]],
  ])("%j", async (args, names, found) => {
    expect(await loadedBy(args)).toEqual({ names: names.toSorted(), libraries: found });
  });
});
