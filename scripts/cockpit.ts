import { globSync } from "node:fs";
import { join } from "node:path";
import type { RolldownOutput } from "rolldown";
import { build } from "vite";

const root = join(import.meta.dirname, "../packages/cockpit");

/** The files that decide how the cockpit comes out. */
export function cockpitInputs(): string[] {
  const own = globSync(["index.html", "package.json", "src/**/*.{ts,tsx,css}", "public/*"], { cwd: root });
  return [...own.map((file) => join(root, file)), import.meta.filename];
}

/** Builds the cockpit into a folder: its index.html, and assets whose names change with what is in them. */
export async function buildCockpit(target: string): Promise<RolldownOutput["output"]> {
  const before = process.env.NODE_ENV;
  // Vite takes React's development build for any other, such as that of a test run.
  process.env.NODE_ENV = "production";
  const built = await build({
    root,
    configFile: false,
    logLevel: "warn",
    build: {
      outDir: target,
      emptyOutDir: true,
      // The first that know light-dark(), which would be written out at length for older ones.
      target: ["chrome123", "firefox120", "safari17.5"],
      // The page's policy allows its own files and no data: addresses.
      assetsInlineLimit: 0,
      modulePreload: false,
    },
  }).finally(() => {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  });
  if (Array.isArray(built) || !("output" in built)) throw new Error("the cockpit is one build");
  return built.output;
}
