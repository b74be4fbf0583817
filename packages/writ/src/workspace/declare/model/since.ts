import type { SchemaWord } from "./manifest.ts";

/** One field, or one form of a field, and the first schema word that may use it. */
export interface Since {
  /** Pointer; `*` stands for any index. */
  at: string;
  since: SchemaWord;
  /** Only values of this form are newer than the field itself. */
  when?: (value: unknown) => boolean;
  what: string;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const has = (key: string) => (value: unknown) => isObject(value) && key in value;

/** Which schema word each newer field needs; every field that is not here is as old as awac/1. */
export const sinceTable: readonly Since[] = [
  { at: "/deploy_overrides", since: "awac/2", what: "deploy_overrides" },
  { at: "/devvault_overrides", since: "awac/2", what: "devvault_overrides" },
  { at: "/registry", since: "writ/1", what: "registry" },
  { at: "/agents", since: "writ/1", what: "agents" },
  { at: "/brokers", since: "writ/1", what: "brokers" },
  { at: "/research", since: "writ/1", what: "research" },
  { at: "/reasoning", since: "writ/1", what: "reasoning" },
  { at: "/profiles", since: "writ/1", what: "profiles" },
  { at: "/notify", since: "writ/1", what: "notify" },
  { at: "/agent_context/clients", since: "writ/1", what: "clients" },
  { at: "/agent_context/budget_bytes", since: "writ/1", what: "budget_bytes" },
  { at: "/agent_context/mirrors/*", since: "writ/1", when: isObject, what: "a mirror with a mode" },
  {
    at: "/agent_context/extras/*/format",
    since: "writ/1",
    when: (value) => isText(value) && value !== "cursor-rules-dir",
    what: "this format",
  },
  {
    at: "/stacks/*",
    since: "writ/1",
    when: (value) => isText(value) && value.includes(":"),
    what: "a git URL",
  },
  {
    at: "/stacks/*",
    since: "writ/1",
    when: (value) => isText(value) && !value.includes(":") && value.includes("@"),
    what: "a stack with @ref",
  },
  { at: "/stacks/*", since: "writ/1", when: has("stack"), what: "the form {stack: …}" },
  { at: "/stacks/*", since: "writ/1", when: has("path"), what: "the form {path: …}" },
];
