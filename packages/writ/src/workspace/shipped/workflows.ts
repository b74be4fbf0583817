import type { Workflow } from "../../contract/index.ts";

/** The usual ways through the commands, for the manual. */
export const workflows: readonly Workflow[] = [
  {
    title: "Bootstrap a workspace",
    steps: [
      "writ templates --json",
      "writ init demo --template writ/example --json",
      "writ bootstrap --workspace demo --json",
      "writ status --workspace demo --json",
      "writ doctor --workspace demo --json",
    ],
  },
  {
    title: "Keep a local edit, see why, and settle a conflict",
    steps: [
      "writ status --json",
      "writ diff --local --patch --json",
      "writ explain .agents/rules/be-brief.md --json",
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
