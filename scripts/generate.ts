// Turns the declarations into plain data: packages/writ/src/generated/, and the types of what the cockpit reads.
// Run before anything else is built.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Capability, Row } from "../packages/writ/src/contract/index.ts";
import { parts } from "../packages/writ/src/app/parts.ts";
import { slotsOf } from "../packages/writ/src/app/slots.ts";
import { buildOpenApi } from "../packages/writ/src/surfaces/http/index.ts";
import { readsOf } from "./registry/client-types.ts";
import { describeLater } from "./registry/describe.ts";
import { buildManual } from "./registry/manual.ts";

const package_ = join(import.meta.dirname, "..", "packages", "writ");
const source = join(package_, "src");
const target = join(source, "generated");
const cockpit = join(package_, "../cockpit/src/generated");

interface Found {
  row: Row;
  file: string;
}

async function declarations(): Promise<Found[]> {
  const files = globSync("*/capabilities/*.ts", { cwd: source }).filter((file) => !file.endsWith(".test.ts"));
  const found = await Promise.all(
    files.toSorted().map(async (file) => {
      const module = (await import(join(source, file))) as { default?: Capability };
      if (!module.default) throw new Error(`${file} declares no capability: export it as the default`);
      try {
        return { row: await describeLater(module.default), file };
      } catch (error) {
        throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
      }
    }),
  );
  const paths = found.map(({ row }) => row.path.join(" "));
  const twice = paths.find((path, i) => paths.indexOf(path) !== i);
  if (twice) throw new Error(`two capabilities are called "${twice}"`);
  return found.toSorted((a, b) => (a.row.path.join(" ") < b.row.path.join(" ") ? -1 : 1));
}

/** A file that would be the same is left alone: its age tells the build whether anything changed. */
function write(name: string, text: string, folder = target): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  const whole = `// Generated from the declarations; do not edit.\n${text}`;
  if (!existsSync(file) || readFileSync(file, "utf8") !== whole) writeFileSync(file, whole);
}

/** A large constant: parsing JSON is several times faster than evaluating an object literal. */
function constant(name: string, type: string, value: unknown): string {
  return `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))}) as ${type};\n`;
}

const found = await declarations();
const rows = found.map(({ row }) => row);
const { version } = JSON.parse(readFileSync(join(package_, "package.json"), "utf8")) as { version: string };
const documents = Object.assign(
  {},
  ...(await Promise.all(parts.map((part) => part.schemas?.(slotsOf(parts)) ?? {}))),
);
const workflows = (await Promise.all(parts.map((part) => part.workflows?.() ?? []))).flat();

write("version.ts", `export const version = ${JSON.stringify(version)};\n`);
write(
  "commands.ts",
  [
    `import type { Capability, Command } from "../contract/index.ts";\n`,
    constant(
      "commands",
      "Command[]",
      rows.map(({ input: _in, output: _out, ...command }) => command),
    ),
    "export const loaders: Record<string, () => Promise<{ default: unknown }>> = {",
    ...found.map(
      ({ row, file }) =>
        `  ${JSON.stringify(row.id)}: () => import("../${relative(source, join(source, file))}"),`,
    ),
    "};",
    "export const loadCapability = async (id: string): Promise<Capability> =>",
    "  ((await loaders[id]?.()) as { default: Capability }).default;",
    "",
  ].join("\n"),
);
write(
  "schemas.ts",
  [
    `import type { JsonSchema } from "../contract/index.ts";\n`,
    constant(
      "schemas",
      "Record<string, { input: JsonSchema; output: JsonSchema }>",
      Object.fromEntries(rows.map(({ id, input, output }) => [id, { input, output }])),
    ),
  ].join(""),
);
write("documents.ts", constant("documents", "Record<string, Record<string, unknown>>", documents));
write("manual.ts", constant("manual", "Record<string, unknown>", buildManual(rows, workflows, version)));
const offered = rows.filter(({ on }) => on.includes("http"));
write("api.ts", readsOf(buildOpenApi(offered, { version, url: "" })), cockpit);
