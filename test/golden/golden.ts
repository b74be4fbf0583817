import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";

/**
 * Compares a document that people read with its file beside this one, test/golden/<name>.
 *
 * Only `npm run golden` writes the file; a test run that finds another text fails.
 */
export async function expectGolden(name: string, text: string): Promise<void> {
  const file = join(import.meta.dirname, name);
  if (process.env.WRIT_GOLDEN === "write") {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const golden = existsSync(file) ? await readFile(file, "utf8") : "";
  expect(text, `test/golden/${name} differs; if the new text is right: npm run golden`).toBe(golden);
}
