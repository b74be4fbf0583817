import { planContext, type AgentContext } from "./context-plan.ts";
import type { ContextInput, ContextResult, RegionHashes } from "./context-types.ts";
import { composeContextFiles } from "./context.ts";
import { markerLine } from "./markers.ts";
import { indexOf } from "./index-entries.ts";
import { layer } from "./layers.fixture.ts";
import { composeLayers } from "./layers.ts";

const index = indexOf(
  composeLayers(
    [layer("core", { "rules/r1.md": "---\ndescription: One\n---\n", "skills/s1/SKILL.md": "x" })],
    { agents: true },
  ).shared,
);

/** A workspace of context files in memory: what is on disk and what was recorded. */
export class Disk {
  files = new Map<string, string>();
  applied = new Map<string, RegionHashes>();
  facts: Partial<ContextInput> = {};
  context: AgentContext;

  constructor(files: Record<string, string> = {}, context: AgentContext = {}) {
    this.files = new Map(Object.entries(files));
    this.context = context;
  }

  plan(more: Partial<ContextInput> = {}): ContextResult {
    const plan = planContext(this.context);
    const read = [...plan.paths, ...this.applied.keys()].map((path): [string, Buffer | null] => {
      const text = this.files.get(path);
      return [path, text === undefined ? null : Buffer.from(text)];
    });
    return composeContextFiles({
      plan,
      workspaceName: "demo",
      stacks: [{ label: "core", repo: "t/core", ref: "refs/heads/main", commit: "3f2a91c4".padEnd(40, "0") }],
      repos: [{ path: "api", repo: "acme/api", ref: "refs/heads/develop" }],
      index,
      existing: new Map(read),
      applied: this.applied,
      ...this.facts,
      ...more,
    });
  }

  run(more: Partial<ContextInput> = {}): ContextResult {
    const result = this.plan(more);
    if (result.damaged.length > 0) return result;
    for (const { path, bytes, record } of result.files) {
      this.files.set(path, bytes.toString());
      this.applied.set(path, record);
    }
    for (const { path, bytes } of result.extras) this.files.set(path, bytes.toString());
    for (const { path, action } of result.retired) {
      if (action === "delete") this.files.delete(path);
      if (action !== "keep") this.applied.delete(path);
    }
    return result;
  }

  text(path = "CLAUDE.md"): string {
    return this.files.get(path) ?? "";
  }

  edit(path: string, from: string, to: string): void {
    this.files.set(path, this.text(path).replace(from, to));
  }

  /** Puts text at the top of a file's notes. */
  note(path: string, text: string): void {
    const start = markerLine("editable-start");
    this.edit(path, `${start}\n`, `${start}\n${text}`);
  }
}
