import type { Workflow } from "../contract/index.ts";

/** The usual ways through the commands, for the manual. */
export const workflows: readonly Workflow[] = [
  {
    title: "Bootstrap a workspace",
    steps: [
      "writ templates --json",
      "writ init demo --template writ/example --json",
      "writ bootstrap --workspace demo --json",
      "writ sync --workspace demo --json",
    ],
  },
  {
    title: "Keep a local edit and settle a conflict",
    steps: [
      "writ sync --dry-run --json",
      "writ sync --json",
      "writ bootstrap --merge --json",
      "writ bootstrap --ours .agents/rules/be-brief.md --json",
      "writ bootstrap --undo --json",
    ],
  },
  {
    title: "Serve a workspace to an agent",
    steps: [
      "writ skill add --json",
      "writ token create --subject client:coder --role agent --expires 30d --json",
      "writ mcp",
      "writ serve",
    ],
  },
  {
    title: "Verify what was done",
    steps: [
      "writ ledger list --json",
      "writ ledger verify --json",
      "writ ledger export --out ledger.jsonl --json",
      "writ ledger verify --file ledger.jsonl --json",
    ],
  },
];
