import { fail } from "../../contract/index.ts";
import type { Asset } from "./assets.ts";
import { maxFrontMatterBytes } from "./front-matter.ts";

const MiB = 1024 * 1024;
const bounds = { assetBytes: 5 * MiB, stackFiles: 5000, stackBytes: 100 * MiB } as const;
const totals = { stacks: 64, "composed files": 50_000 } as const;

/** Refuses a stack that holds more than one stack may: E_LIMIT, naming it. */
export function checkLayerBounds(stack: string, assets: readonly Asset[]): void {
  if (assets.length > bounds.stackFiles)
    throw tooMuch(`files in stack ${stack}`, {
      limit: bounds.stackFiles,
      found: assets.length,
      source: stack,
    });
  let bytes = 0;
  for (const { path, size, origin, facts } of assets) {
    const source = `${stack}: ${origin.source || path}`;
    if (size > bounds.assetBytes)
      throw tooMuch(`bytes in ${source}`, { limit: bounds.assetBytes, found: size, source });
    if (facts?.frontMatter?.state === "too_large") {
      const found = facts.bodyStart ?? size;
      throw tooMuch(`bytes of front matter in ${source}`, { limit: maxFrontMatterBytes, found, source });
    }
    bytes += size;
  }
  if (bytes > bounds.stackBytes)
    throw tooMuch(`bytes in stack ${stack}`, { limit: bounds.stackBytes, found: bytes, source: stack });
}

/** Refuses too many stacks, or too many files in all. */
export function checkTotal(what: keyof typeof totals, found: number): void {
  if (found > totals[what]) throw tooMuch(what, { limit: totals[what], found, source: "workspace.yml" });
}

function tooMuch(what: string, { limit, found, source }: { limit: number; found: number; source: string }) {
  return fail("E_LIMIT", {
    message: `Too many ${what}: ${found}.`,
    cause: `At most ${limit} are composed.`,
    remediation: "Make the source smaller, pin an earlier commit of it, or drop it from workspace.yml.",
    details: { limit, found, source },
  });
}
