import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A folder that travels with the program: `templates`, `skills` or `guides`. */
export function shippedFolder(
  name: "templates" | "skills" | "guides",
  from: string = import.meta.url,
): string {
  // The sources and the bundle lie at different depths below the package; its package.json marks the top.
  for (let folder = dirname(fileURLToPath(from)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return join(folder, name);
    if (dirname(folder) === folder)
      throw new Error(`no package around ${from}: what ships with Writ is missing`);
  }
}
