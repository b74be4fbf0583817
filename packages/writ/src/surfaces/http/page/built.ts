import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A file of the built cockpit, as it is sent. */
export interface BuiltFile {
  bytes: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
}

/** The files of the built cockpit, by their path on this server; none while it is not built. */
export type Built = () => ReadonlyMap<string, BuiltFile>;

/** Reads the built cockpit once, when it is first asked for; while it is not there, each time. */
export function builtIn(folder: string = cockpitFolder()): Built {
  let built: ReadonlyMap<string, BuiltFile> | undefined;
  return () => {
    if (built === undefined && existsSync(join(folder, "index.html"))) built = readBuilt(folder);
    return built ?? new Map();
  };
}

function readBuilt(folder: string): ReadonlyMap<string, BuiltFile> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      const below = file.slice(folder.length).replaceAll("\\", "/");
      // An asset's name changes with what is in it.
      const cache = below.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
      const headers = {
        "Content-Type": types[extname(name)] ?? "application/octet-stream",
        "Cache-Control": cache,
      };
      return [below === "/index.html" ? "/" : below, { bytes: readFileSync(file), headers }];
    }),
  );
}

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

// The sources and the bundle lie at different depths below the package; its package.json marks the top.
function cockpitFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json")) || dirname(folder) === folder)
      return join(folder, "dist", "cockpit");
  }
}
