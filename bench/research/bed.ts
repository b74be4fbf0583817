import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../../test/fixtures/temp-folder.ts";
import type { Place } from "../support/writ.ts";

/** A workspace of its own with nothing in it, removed in the end. */
export interface Bed extends Place, Disposable {
  /** The library's file; the first seed makes it. */
  library: string;
}

/** Makes one; `more` is added to the environment of its programs. */
export function makeBed(more: Record<string, string> = {}): Bed {
  const temp = tempFolder("writ-bench-research");
  const folder = temp.file(".writ/research");
  for (const name of ["pages", "networks", "snapshots", "exports"])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(temp.file("workspace.yml"), "name: bench\nschema: writ/1\n");
  return {
    cwd: temp.path,
    library: join(folder, "library.duckdb"),
    env: {
      PATH: process.env.PATH ?? "",
      HOME: temp.path,
      WRIT_CACHE_DIR: temp.file(".cache"),
      ...more,
    },
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}
