import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { buildCockpit, cockpitInputs } from "../../scripts/cockpit.ts";

const built = join(import.meta.dirname, "../../packages/writ/dist/cockpit");

/** Builds the cockpit where it is older than its sources, so that these tests look at what they are about. */
export async function setup(): Promise<void> {
  const page = join(built, "index.html");
  const builtAt = existsSync(page) ? statSync(page).mtimeMs : 0;
  if (cockpitInputs().some((file) => statSync(file).mtimeMs > builtAt)) await buildCockpit(built);
}
