/**
 * The direction of dependencies, once. The linter (oxlint.config.ts), the compiler's references and
 * docs/reference/layers.md (scripts/derive.ts) are derived from this table and cannot disagree with it.
 */
const below = ["contract", "platform", "store", "ledger", "governance"] as const;

/** Each module of packages/writ/src, and the modules it may import beside itself, through their doors. */
export const layers: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  platform: ["contract"],
  store: ["contract", "platform"],
  ledger: ["contract", "platform", "store"],
  governance: ["contract", "platform", "store", "ledger"],
  workspace: below,
  knowledge: below,
  reasoning: below,
  research: below,
  agents: below,
  processes: ["contract", "platform"],
  surfaces: ["contract", "platform"],
  app: [...below, "workspace", "knowledge", "reasoning", "research", "agents", "processes", "surfaces"],
};

/** The folder whose first-level folders are the modules; its own files, `app/` and `generated/` are `app`. */
export const sourceRoot = "packages/writ/src";

/** The module that a file below the source root belongs to. */
export function moduleOf(relative: string): string {
  const [first = "", ...rest] = relative.split("/");
  return rest.length === 0 || first === "generated" || first === "app" ? "app" : first;
}

/** Whether a file is the door of its module; each surface has a door of its own. */
export function isDoor(relative: string): boolean {
  return /^[^/]+\/index\.ts$|^surfaces\/[^/]+\/index\.ts$/.test(relative);
}

interface Vendor {
  name: RegExp;
  /** Files below the source root that may import it. */
  home: RegExp;
  instead: string;
}

/** Packages (and built-ins) that one part of the code keeps to itself. */
export const vendors: readonly Vendor[] = [
  {
    name: /^(kysely|pg|@electric-sql\/pglite)(\/|$)/,
    home: /^store\//,
    instead: "ask the store for a reader or writer",
  },
  {
    name: /^node:sqlite$/,
    home: /^(store\/|platform\/lock\.ts$)/,
    instead: "ask the store for a reader or writer",
  },
  {
    name: /^(hono|@hono\/[^/]+)(\/|$)/,
    home: /^surfaces\/http\//,
    instead: "declare a capability; HTTP projects it",
  },
  {
    name: /^@modelcontextprotocol\//,
    home: /^surfaces\/mcp\//,
    instead: "declare a capability; MCP projects it",
  },
  {
    name: /^yaml(\/|$)/,
    home: /^platform\//,
    instead: "read YAML with platform's readYaml, which has limits",
  },
  {
    name: /^@duckdb\//,
    home: /^research\/library\/database\.ts$/,
    instead: "use the library's Database",
  },
  {
    name: /^graphology(-[a-z0-9-]+)?(\/|$)/,
    home: /^research\/(networks|analysis)\//,
    instead: "ask research/analysis for the measure",
  },
  {
    name: /^(@citation-js\/[a-z-]+|csv-(parse|stringify))(\/|$)/,
    home: /^research\/formats\//,
    instead: "read and write bibliographic files in research/formats",
  },
  {
    name: /^@opentelemetry\//,
    home: /^platform\/traces-exporter\.ts$/,
    instead: "begin a span through the executor's port",
  },
  { name: /^@napi-rs\/keyring$/, home: /^platform\//, instead: "use platform's keychain" },
  {
    name: /^(react|react-dom|vite)(\/|$)/,
    home: /^$/,
    instead: "what people see in a browser is packages/cockpit",
  },
  {
    name: /^(node:)?process$/,
    home: /^(platform\/|app\/|main\.ts$|heavy\.ts$)/,
    instead: "take what you need of the process as an argument",
  },
  {
    name: /^(fs|path|os|crypto|child_process|url|http|https|net|stream|events|util|module)(\/|$)/,
    home: /^$/,
    instead: "write the node: prefix",
  },
];
