import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { walkFolder } from "../../platform/index.ts";
import { shippedAdvisors } from "../tables/advisors.ts";
import { shippedClients } from "../tables/clients.ts";
import { shippedModels, shippedVendors } from "../tables/models.ts";
import type { Finding } from "./finding.ts";

/** Every name of the shipped tables: advisors, adapters, programs, clients, vendors and models. */
export function shippedNames(): string[] {
  const names = [
    ...shippedAdvisors.flatMap(({ id, adapter, executable }) => [id, adapter, executable]),
    ...shippedClients.flatMap(({ id, executable }) => [id, executable]),
    ...shippedVendors.map(({ id }) => id),
    ...shippedModels.flatMap(({ id, native_id }) => [id, native_id]),
  ];
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** Files that hold such a name as a quoted literal. */
export function coupledFiles(files: readonly { file: string; text: string }[]): Finding[] {
  const names = shippedNames().map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const literal = new RegExp(`(["'\`])(${names.join("|")})\\1`);
  return files.flatMap(({ file, text }) => {
    const found = literal.exec(text);
    return found
      ? [
          {
            check: "coupling",
            level: "error" as const,
            subject: file,
            message: `names ${found[2] ?? ""}`,
            rules: ["coupling"],
          },
        ]
      : [];
  });
}

/** The modules of this part that must know no advisor by name; undefined where the program is one bundle. */
export async function providerIndependentModules(
  here: string = import.meta.url,
): Promise<{ file: string; text: string }[] | undefined> {
  const path = fileURLToPath(here);
  const folder = dirname(dirname(path));
  if (!path.endsWith(".ts") || !folder.endsWith("reasoning")) return undefined;
  const modules = (await walkFolder(folder))
    .filter(({ kind, path: file }) => kind === "file" && file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .filter(({ path: file }) => !/^(tables|advisors)\//.test(file));
  return Promise.all(
    modules.map(async ({ path: file }) => ({ file, text: await readFile(join(folder, file), "utf8") })),
  );
}
