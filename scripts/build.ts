/**
 * Bundles packages/writ/src/main.ts into packages/writ/dist, and builds the cockpit into packages/writ/dist/cockpit.
 *
 *   node scripts/build.ts [--if-needed]
 *   WRIT_BUILD_ENTRY=path/to/other.ts node scripts/build.ts     another entry, for trials
 */
import { existsSync, globSync, statSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { build, type BuildOptions, type Plugin, type RolldownOutput } from "rolldown";
import { buildCockpit, cockpitInputs } from "./cockpit.ts";

const root = join(import.meta.dirname, "..");
const source = join(root, "packages/writ/src");
const dist = join(root, "packages/writ/dist");
const entry = process.env.WRIT_BUILD_ENTRY ?? join(source, "main.ts");

/*
 * Every dependency is bundled, each in the chunks that use it: one copy of every class, a start that
 * reads few files, and an installation with nothing to resolve. Run so: hono and its server answering,
 * the MCP handler, pg connecting, kysely, yaml, zod. What stays outside cannot go in:
 * the keychain and DuckDB itself are native binaries per platform, and pg tries the two others only when they are there.
 */
const external = [/^@napi-rs\/keyring/, /^@duckdb\/node-bindings/, "pg-native", "pg-cloudflare"];

/** Whether a source file, or what decides the build, is newer than what was built. */
function isStale(): boolean {
  const built = join(dist, "main.js");
  if (!existsSync(built)) return true;
  const { mtimeMs } = statSync(built);
  const inputs = [
    ...globSync(`${source}/**/*.ts`),
    ...cockpitInputs(),
    import.meta.filename,
    join(root, "package-lock.json"),
    join(root, "packages/writ/package.json"),
  ];
  return inputs.some((file) => statSync(file).mtimeMs > mtimeMs);
}

/**
 * Takes Node's own modules without the loader. Importing one as ESM reads every export it has, and many are
 * getters that load more: node:util and node:crypto alone cost a tenth of a start.
 */
const builtinsAtOnce: Plugin = {
  name: "builtins-at-once",
  renderChunk: (code) =>
    code.replaceAll(
      /^import (\{[^}]*\}|\w+) from "(node:[\w/]+)";$/gm,
      (_, names: string, module: string) => {
        if (late.has(module)) return calledLater(names, module);
        return `const ${names.replaceAll(" as ", ": ")} = ${builtin(module)};`;
      },
    ),
};

const builtin = (module: string): string => `globalThis.process.getBuiltinModule("${module}")`;

/** Modules that take up to a fifth of Node's own start, and that who only looks does not need. */
const late = new Set(["node:crypto", "node:fs/promises", "node:sqlite"]);

/** Functions and classes that load their module when one of them is first used. */
function calledLater(names: string, module: string): string {
  const loaded = module.replaceAll(/\W/g, "_");
  const functions = names
    .slice(1, -1)
    .split(",")
    .map((name) => {
      const [theirs = "", ours = theirs] = name.trim().split(" as ");
      const found = (process.getBuiltinModule(module) as unknown as Record<string, unknown>)[theirs];
      if (typeof found !== "function")
        throw new Error(`scripts/build.ts: ${theirs} of ${module} is no function`);
      const real = `(${loaded} ??= ${builtin(module)}).${theirs}`;
      return `const ${ours} = function (...given) { return new.target ? new (${real})(...given) : ${real}(...given); };`;
    });
  return [`let ${loaded};`, ...functions].join("\n");
}

/**
 * Takes the files away that only pass on what another one exports: import() asks for the other one and picks. Finding
 * and opening such a file takes as long as a thousand lines of a real one. And each import() is asked once: Node finds
 * a loaded module again, but slowly, and a server would wait for that at every call.
 */
const directImports: Plugin = {
  name: "direct-imports",
  generateBundle: (_, bundle) => {
    const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
    const bridges = new Map<string, { to: string; picked: string }>();
    for (const { fileName, code } of chunks) {
      const [, names, to] = /^export\{([^}]*)\}from"\.\/([^"]+)";\s*$/.exec(code) ?? [];
      if (names === undefined || to === undefined) continue;
      const picked = names.split(",").map((name) => name.replace(/^(\w+)(?: as (\w+))?$/, pick));
      bridges.set(basename(fileName), { to, picked: picked.join() });
      delete bundle[fileName];
    }
    for (const chunk of chunks) {
      let count = 0;
      const code = chunk.code.replaceAll(
        /\bimport\(`(\.\/(?:chunks\/)?)([\w.-]+)`\)/g,
        (_whole, folder, file) => {
          const bridge = bridges.get(file);
          const picked = bridge ? `.then(e=>({${bridge.picked}}))` : "";
          return `($asked[${count++}]??=import(\`${folder}${bridge?.to ?? file}\`)${picked})`;
        },
      );
      if (count > 0) chunk.code = `const $asked=[];${code}`;
    }
  },
};

const pick = (_: string, theirs: string, ours = theirs): string => `${ours}:e.${theirs}`;

/** One character outside ASCII makes V8 keep a whole file in twice the bytes, and read it more slowly. */
const asciiOnly: Plugin = {
  name: "ascii-only",
  generateBundle: (_, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type === "chunk") file.code = file.code.replaceAll(/[^\0-\x7f]/g, escaped);
    }
  },
};

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * What every command loads, and what an agent asks for most, one file each: finding and opening a file costs
 * more than reading it.
 */
const hot: Record<string, string[]> = {
  start: ["start.ts"],
  status: ["workspace/capabilities/status.ts", "workspace/status/status.ts"],
  blocks: ["reasoning/surface/status-block.ts", "research/status/block.ts"],
  stores: [
    "reasoning/store/file-store.ts",
    "reasoning/tasks/task-store.ts",
    "research/library/file-store.ts",
    "workspace/init/init-store.ts",
  ],
  bootstrap: ["workspace/capabilities/bootstrap.ts", "workspace/run/run.ts"],
  compose: ["workspace/run/carry-out.ts"],
};

/**
 * Which of these files a module goes into. Only a built graph tells, since doors lead to more than is used; what
 * is loaded with an earlier one stays there.
 */
function groupsOf(output: RolldownOutput["output"]): Map<string, string> {
  const chunks = new Map(
    output.flatMap((file) => (file.type === "chunk" ? [[file.fileName, file] as const] : [])),
  );
  const loadedWith = (name: string): string[] => {
    const names = new Set([name]);
    // A set hands out what is added while it is walked.
    for (const found of names) for (const next of chunks.get(found)?.imports ?? []) names.add(next);
    return [...names].flatMap((found) => chunks.get(found)?.moduleIds ?? []);
  };
  const groups = new Map(loadedWith("main.js").map((id) => [id, "main"]));
  const wanted = Object.entries(hot).flatMap(([group, modules]) =>
    modules.map((module) => [group, module] as const),
  );
  for (const [group, module] of wanted) {
    const holder = [...chunks.values()].find((chunk) => chunk.facadeModuleId === join(source, module));
    if (!holder) throw new Error(`scripts/build.ts: nothing imports ${module} when it is first needed`);
    for (const id of loadedWith(holder.fileName)) if (!groups.has(id)) groups.set(id, group);
  }
  // Nearly every capability needs zod; a group that held it would be loaded by all of them.
  const ofAll = (id: string) => id.includes(`${sep}zod${sep}`);
  return new Map([...groups].filter(([id, group]) => group !== "main" && !ofAll(id)));
}

/** The licences of what was bundled, which ask to travel with the copies. */
async function licencesOf(output: readonly RolldownOutput["output"][number][]): Promise<string> {
  const folders = new Set<string>();
  for (const chunk of output) {
    if (chunk.type !== "chunk") continue;
    for (const id of chunk.moduleIds) {
      const folder = /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id.split(sep).join("/"))?.[0];
      if (folder) folders.add(folder);
    }
  }
  const texts: string[] = [];
  for (const folder of [...folders].toSorted()) {
    const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const [file] = globSync(`${folder}/{LICENSE,LICENCE,license}*`);
    const text = file ? await readFile(file, "utf8") : `Licence: ${license}`;
    texts.push(`${name} ${version}\n\n${text.trim()}\n`);
  }
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

if (process.argv.includes("--if-needed") && !isStale()) process.exit(0);

const options = {
  input: { main: entry, heavy: join(source, "heavy.ts") },
  platform: "node",
  external,
  plugins: [builtinsAtOnce, directImports, asciiOnly],
  optimization: { inlineConst: { mode: "all", pass: 1 } },
} satisfies BuildOptions;
const trial = await build({ ...options, write: false });
const groups = groupsOf(trial.output);
// Built aside and put in place at once: a program that starts meanwhile finds the old one or the new one.
const next = `${dist}-next`;
await rm(next, { recursive: true, force: true });
const { output } = await build({
  ...options,
  preserveEntrySignatures: "allow-extension",
  output: {
    dir: next,
    format: "esm",
    minify: true,
    codeSplitting: {
      groups: [
        { debugName: "hot", name: (id) => groups.get(id) ?? null, includeDependenciesRecursively: false },
      ],
    },
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
  },
});
const cockpit = await buildCockpit(join(next, "cockpit"));
await writeFile(join(next, "licences.txt"), await licencesOf([...output, ...cockpit]));
await rm(dist, { recursive: true, force: true });
await rename(next, dist);

const bytes = output.reduce((sum, file) => sum + (file.type === "chunk" ? file.code.length : 0), 0);
console.log(`built ${output.length} files, ${Math.round(bytes / 1024)} KiB`);
