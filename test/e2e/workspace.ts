import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../fixtures/temp-folder.ts";

/** A workspace without stacks in a temporary folder; everything is gone at the end of the block. */
export function workspace(): Disposable & { cwd: string } {
  const temp = tempFolder("writ-e2e");
  const cwd = join(temp.path, "demo");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "workspace.yml"), "name: demo\nschema: writ/1\n");
  return { cwd, [Symbol.dispose]: () => temp[Symbol.dispose]() };
}
