import { fail } from "../../contract/index.ts";
import type { NativeFormat } from "./clients.ts";
import { inert } from "./inert.ts";
import type { IndexEntry } from "./index-entries.ts";
import { foldedPath } from "../declare/paths.ts";

/** One rule, to be written as a client reads it. */
export interface NativeRule {
  path: string;
  format: NativeFormat;
  /** The rule it is derived from. */
  rule: IndexEntry;
}

const suffixes: Record<NativeFormat, string> = {
  "cursor-rules-dir": ".mdc",
  "claude-rules-dir": ".md",
  "copilot-instructions-dir": ".instructions.md",
  "windsurf-rules-dir": ".md",
};

/** Names the native file of each rule in each folder; two rules that would share one are E_PATH_CONFLICT. */
export function planNativeRules(
  folders: readonly { format: NativeFormat; path: string }[],
  rules: readonly IndexEntry[],
): NativeRule[] {
  const taken = new Map<string, NativeRule>();
  for (const { format, path: folder } of folders) {
    for (const rule of rules) {
      const name = rule.path
        .replace(/^\.agents\/rules\//, "")
        .replace(/\.[^./]+$/, "")
        .replaceAll("/", "--");
      const native = { path: `${folder}/${name}${suffixes[format]}`, format, rule };
      const key = foldedPath(native.path);
      const other = taken.get(key);
      if (other) throw conflict(native, other);
      taken.set(key, native);
    }
  }
  return [...taken.values()];
}

function conflict(native: NativeRule, other: NativeRule) {
  const origins = [other, native].map(({ rule }) => ({ path: rule.path, ...rule.asset.origin }));
  return fail("E_PATH_CONFLICT", {
    message: `${other.rule.path} and ${native.rule.path} would both be written to ${native.path}.`,
    cause: 'A native rule file is named after its rule, with "/" as "--".',
    remediation: "Rename one of the two rules in its stack, or drop the extra from agent_context.",
    details: { path: native.path, origins },
  });
}

/** The native file: the client's front matter over the rule's body, byte for byte. */
export function renderNativeRule(
  { format, rule }: Pick<NativeRule, "format" | "rule">,
  bytes: Buffer,
): Buffer {
  const lines = headers[format](rule);
  const head = lines.length === 0 ? "" : `---\n${lines.join("\n")}\n---\n`;
  return Buffer.concat([Buffer.from(head), bytes.subarray(rule.asset.facts?.bodyStart ?? 0)]);
}

const headers: Record<NativeFormat, (rule: IndexEntry) => string[]> = {
  // Cursor reads globs as plain text: neither quoted nor a list.
  "cursor-rules-dir": (rule) => [
    `description: ${quoted(rule.description)}`,
    `globs: ${inert(scope(rule).join(","), 1024)}`.trimEnd(),
    `alwaysApply: ${rule.trigger === "always_on"}`,
  ],
  "claude-rules-dir": (rule) => {
    const globs = scope(rule).filter(Boolean);
    return globs.length === 0 ? [] : ["paths:", ...globs.map((glob) => `  - ${quoted(glob)}`)];
  },
  "copilot-instructions-dir": (rule) => [
    ...(rule.trigger === "always_on" ? ['applyTo: "**"'] : []),
    ...(rule.trigger === "glob" ? [`applyTo: ${quoted((rule.globs ?? ["**"]).join(","))}`] : []),
    ...(rule.description === undefined ? [] : [`description: ${quoted(rule.description)}`]),
  ],
  "windsurf-rules-dir": (rule) => [
    `trigger: ${rule.trigger ?? "always_on"}`,
    ...(scope(rule).length > 0 ? [`globs: ${inert(scope(rule).join(","), 1024)}`] : []),
    ...(rule.description === undefined ? [] : [`description: ${quoted(rule.description)}`]),
  ],
};

const everything = new Set(["**", "**/*", "*", "/**"]);

/** The globs that narrow a rule: none for one that is always on, or whose globs match everything. */
function scope({ trigger, globs = [] }: IndexEntry): readonly string[] {
  return trigger === "always_on" || globs.some((glob) => everything.has(glob)) ? [] : globs;
}

/** A double-quoted YAML scalar, which is what JSON writes. */
function quoted(text = ""): string {
  return JSON.stringify(inert(text, 1024));
}
