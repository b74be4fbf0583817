import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Topic, Workflow } from "../../contract/index.ts";

/** The guide that ships with Writ. */
export async function reasoningTopics(): Promise<Topic[]> {
  const text = await readFile(join(packageFolder(), "guides", "reasoning.md"), "utf8");
  return [{ name: "reasoning", title: /^# (.+)$/m.exec(text)?.[1] ?? "Reasoning", text }];
}

// The sources and the bundle lie at different depths below the package; its package.json marks the top.
function packageFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json")) || dirname(folder) === folder) return folder;
  }
}

export const reasoningWorkflows: Workflow[] = [
  {
    title: "Take a serious decision",
    steps: [
      "writ task start new-storage --profile deep-work",
      "writ reasoning record --file assessment.yml",
      "writ reasoning consult --assessment ID --dry-run",
      "writ reasoning consult --assessment ID",
      "writ reasoning record --file conclusion.yml",
      "writ task close",
    ],
  },
];
