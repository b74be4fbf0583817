import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "../../contract/index.ts";

/** The command that fills a library which has nothing to go on with; none where no equation lies ready. */
export function specSeed({ workspace }: Pick<Context, "workspace">): { fix_command?: string } {
  const file = join(workspace?.root ?? "", "equation.yml");
  return existsSync(file) ? { fix_command: "writ research seed --spec equation.yml" } : {};
}
