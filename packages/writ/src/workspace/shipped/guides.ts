import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Topic } from "../../contract/index.ts";
import { storing } from "../../platform/index.ts";
import { shippedFolder } from "./shipped-folder.ts";

/** The guides in the order in which one would read them; each is a file of the shipped folder. */
const topicNames = ["quickstart", "discover", "init", "conflicts", "ledger", "tokens", "mcp"] as const;

/** The guides that ship with Writ. */
export async function readGuides(): Promise<Topic[]> {
  return Promise.all(topicNames.map(readGuide));
}

async function readGuide(name: string): Promise<Topic> {
  const file = `${name}.md`;
  const text = await storing(`guides/${file}`, () => readFile(join(shippedFolder("guides"), file), "utf8"));
  return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text };
}
