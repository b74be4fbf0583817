import type { Flag } from "../../contract/index.ts";

type CommonFlag = Omit<Flag, "field" | "many" | "required"> & { when?: "mutates" };

/** Flags of the command line itself: every command takes them, and they never reach a capability's input. */
export const commonFlags = [
  {
    name: "workspace",
    kind: "string",
    env: "WRIT_WORKSPACE",
    description: "The workspace's folder. Default: found by walking up from the current folder.",
  },
  {
    name: "json",
    kind: "boolean",
    env: "WRIT_JSON",
    description: "Print the envelope as one JSON document.",
  },
  {
    name: "dry-run",
    kind: "boolean",
    when: "mutates",
    description: "Say what would change, and change nothing; where a command changes something.",
  },
  {
    name: "idempotency-key",
    kind: "string",
    when: "mutates",
    description: "Tells a repeated change from a new one; honoured for 24 hours.",
  },
  {
    name: "file",
    kind: "string",
    description: "Read the input from this YAML or JSON file, or - for standard input; flags win over it.",
  },
  {
    name: "interactive",
    kind: "boolean",
    description: "Ask for what is missing; needs a terminal. Without it Writ never asks.",
  },
  { name: "token", kind: "string", env: "WRIT_TOKEN", description: "Act as this token's subject." },
  {
    name: "deadline",
    kind: "number",
    description: "Give up after this many seconds.",
    constraint: "a number above 0",
  },
  { name: "quiet", kind: "boolean", alias: "q", description: "Log errors only." },
  { name: "verbose", kind: "boolean", description: "Log debug lines too." },
  { name: "no-color", kind: "boolean", env: "NO_COLOR", description: "No colour, also on a terminal." },
  { name: "help", kind: "boolean", alias: "h", description: "Print this help." },
] as const satisfies readonly CommonFlag[];

/** Flags of the bare program, without a command. */
export const programFlags = [
  { name: "version", kind: "boolean", description: "Print the version." },
  {
    name: "agent-manifest",
    kind: "boolean",
    description:
      "Print one JSON document with everything an agent needs to use Writ; behind a command or a group, what is about it.",
  },
  {
    name: "completions",
    kind: "string",
    choices: ["bash", "zsh", "fish"],
    description: "Print the completion script of a shell.",
  },
] satisfies readonly Omit<Flag, "field" | "many" | "required">[];

export type CommonName = (typeof commonFlags)[number]["name"];
