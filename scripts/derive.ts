/**
 * Writes the files that follow from scripts/layers.ts: a tsconfig per module and docs/reference/layers.md.
 * With --check it writes nothing and fails, naming each file that differs.
 */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { layers, sourceRoot } from "./layers.ts";

const root = join(import.meta.dirname, "..");
const note = "Derived from scripts/layers.ts by `npm run generate`; change it there.";

const modules = Object.keys(layers);
const present = modules.filter((name) => name !== "app" && existsSync(join(root, sourceRoot, name)));

/** The compiler's view of one module: it finds the modules it may import, and no others. */
function moduleConfig(name: string): object {
  const allowed = (layers[name] ?? []).filter((other) => present.includes(other));
  return {
    extends: "../../tsconfig.json",
    compilerOptions: {
      composite: true,
      noEmit: false,
      emitDeclarationOnly: true,
      // A module that is found without being referenced would get its declarations beside its sources.
      noEmitOnError: true,
      rootDir: ".",
      outDir: `../../build/types/${name}`,
      tsBuildInfoFile: `../../build/types/${name}.tsbuildinfo`,
      // The first layer sees neither Node nor the DOM.
      ...(name === "contract" && { types: [] }),
    },
    include: ["."],
    exclude: ["**/*.test.ts"],
    references: allowed.map((other) => ({ path: `../${other}` })),
  };
}

/** The root of `tsc -b`: every module that exists, and the cockpit, which may import none of them. */
function buildConfig(): object {
  const paths = [...present.map((name) => `${sourceRoot}/${name}`), "packages/cockpit"];
  return { files: [], references: paths.map((path) => ({ path })) };
}

/** The table for people, with the picture. */
function layersPage(): string {
  const rows = modules.map((name) => {
    const allowed = layers[name] ?? [];
    return `| \`${name}\` | ${name === "app" ? "everything" : allowed.map((one) => `\`${one}\``).join(", ") || "nothing"} |`;
  });
  const domains = modules.filter((name) => layers[name] === layers.workspace);
  const rest = " ".repeat("contract <- platform <- store <- ledger <- governance <- ".length);
  const diagram = [
    `contract <- platform <- store <- ledger <- governance <- ${domains[0]}`,
    ...domains.slice(1).map((name) => rest + name),
    "contract <- platform <- processes",
    `${" ".repeat("contract <- platform <- ".length)}surfaces`,
    "everything <- app",
  ];
  return [
    "# Layers",
    "",
    `<!-- ${note} -->`,
    "",
    "Dependencies point one way. A module is entered through its door, `src/<module>/index.ts`; the domains never",
    "import one another, they call each other's capabilities through `ctx.invoke`. `npm run lint` and `tsc -b` hold it.",
    "",
    "```text",
    ...diagram,
    "```",
    "",
    "| module | may import |",
    "| --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

const json = (value: object): string => `// ${note}\n${JSON.stringify(value, null, 2)}\n`;

const files = new Map<string, string>([
  ["tsconfig.build.json", json(buildConfig())],
  ["docs/reference/layers.md", layersPage()],
  ...present.map((name): [string, string] => [
    `${sourceRoot}/${name}/tsconfig.json`,
    json(moduleConfig(name)),
  ]),
]);

const check = process.argv.includes("--check");
for (const [file, wanted] of files) {
  const path = join(root, file);
  const found = existsSync(path) ? await readFile(path, "utf8") : undefined;
  if (found === wanted) continue;
  if (check) {
    console.error(`${file} is not what scripts/layers.ts says. Next: npm run generate`);
    process.exitCode = 1;
  } else {
    await writeFile(path, wanted);
  }
}
