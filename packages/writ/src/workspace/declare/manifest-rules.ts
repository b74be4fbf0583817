import { planContext } from "../compose/context-plan.ts";
import { contextFaults, contextPaths } from "./agent-context-rules.ts";
import type { SchemaWord, StackEntry } from "./model/manifest.ts";
import { schemaWords } from "./model/manifest.ts";
import { sinceTable } from "./model/since.ts";
import { isStyledName, NAME_MAX } from "./model/text.ts";
import { checkClonePath, pathOrFault } from "./paths.ts";
import { report, type FileReading } from "./problems.ts";
import { isMapping, pointerOf, valueAt } from "./schema-walk.ts";
import { identityOf, parseSource } from "./sources.ts";
import { clashesOf, normaliseEntry } from "./stack-entries.ts";
import type { UrlPolicy } from "./urls.ts";

/** What the rules need besides the file. */
export interface ManifestSettings extends UrlPolicy {
  /** WRIT_GIT_BASE; decides whether a URL and an `org/repo` are one repository. */
  base: string;
}

type Mapping = Readonly<Record<string, unknown>>;

/** Adds a problem for each field that is newer than the declared schema. */
export function reportNewer(reading: FileReading, value: Mapping, word: SchemaWord): void {
  for (const { at, since, when, what } of sinceTable) {
    if (schemaWords.indexOf(since) <= schemaWords.indexOf(word)) continue;
    for (const path of matches(value, at.split("/").slice(1))) {
      const found = valueAt(value, path);
      if (found === undefined || (when && !when(found))) continue;
      report(reading, pointerOf(path), {
        kind: "needs_schema",
        message: `${what} needs schema ${since}, and the file declares ${word}`,
        hint: `schema: ${since}`,
        facts: { needs: since, declared: word },
        atKey: typeof path.at(-1) === "string",
      });
    }
  }
}

function matches(value: unknown, pattern: readonly string[], before: PropertyKey[] = []): PropertyKey[][] {
  const [member, ...rest] = pattern;
  if (member === undefined) return [before];
  if (member !== "*") {
    return isMapping(value) && Object.hasOwn(value, member)
      ? matches(value[member], rest, [...before, member])
      : [];
  }
  return Array.isArray(value) ? value.flatMap((inner, at) => matches(inner, rest, [...before, at])) : [];
}

/** Adds the problems that involve more than one field; each field counts as far as it is valid by itself. */
export function reportClashes(
  reading: FileReading,
  value: Mapping,
  options: { word: SchemaWord; settings: ManifestSettings },
): void {
  const { word, settings } = options;
  const { name, stacks } = value;
  if (word === "writ/1" && typeof name === "string" && name !== "" && !isStyledName(name)) {
    const message = `under writ/1 a name is lower case, digits and single hyphens, at most ${NAME_MAX}`;
    report(reading, "/name", { kind: "value", message, hint: styled(name) });
  }
  if (word !== "writ/1") reportNoStacks(reading, stacks, word);
  if (Array.isArray(stacks)) reportStacks(reading, stacks, settings);
  reportModules(reading, value["modules"]);
  for (const fault of contextFaults(value["agent_context"], "/agent_context"))
    report(reading, fault.pointer, fault);
  reportPlaces(reading, value);
  reportRegistry(reading, value["registry"], settings);
}

function styled(name: string): string | undefined {
  const text = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[-0-9]+|-+$/g, "")
    .slice(0, NAME_MAX);
  return isStyledName(text) ? `name: ${text}` : undefined;
}

function reportNoStacks(reading: FileReading, stacks: unknown, word: SchemaWord): void {
  const hint = "stacks: [core]";
  if (stacks === undefined)
    report(reading, "/stacks", { kind: "missing", message: "stacks is missing", hint });
  if (Array.isArray(stacks) && stacks.length === 0) {
    report(reading, "/stacks", {
      kind: "value",
      message: `stacks must name at least one stack under ${word}`,
      hint,
    });
  }
}

/** The stack entries that are valid by themselves, at their places; what clashes in or between them is a problem. */
function reportStacks(reading: FileReading, stacks: readonly unknown[], settings: ManifestSettings): void {
  const seen = new Map<string, number>();
  for (const [at, value] of stacks.entries()) {
    const pointer = `/stacks/${at}`;
    if (isMapping(value))
      for (const { key, ...fault } of clashesOf(value)) report(reading, `${pointer}/${key}`, fault);
    const entry = normaliseEntry(value, { ...settings, allowFile: true });
    if (entry?.fault) report(reading, pointer, entry.fault);
    if (!entry?.value) continue;
    const identity = identityOf(entry.value.source, settings.base);
    const first = seen.get(identity);
    if (first === undefined) seen.set(identity, at);
    else reportTwin(reading, pointer, `/stacks/${first}`);
  }
}

function reportTwin(reading: FileReading, pointer: string, first: string): void {
  const { line } = reading.locate(first);
  const message = `the stack stands twice, first in line ${line}`;
  report(reading, pointer, { kind: "duplicate", message, hint: "keep one of them" });
}

/** The stack entries of a file without problems. */
export function entriesOf(
  reading: FileReading,
  stacks: readonly unknown[],
  settings: ManifestSettings,
): StackEntry[] {
  return stacks.flatMap((value, at) => {
    const entry = normaliseEntry(value, { ...settings, allowFile: true })?.value;
    const pointer = `/stacks/${at}`;
    return entry ? [{ ...entry, declaredAt: { pointer, line: reading.locate(pointer).line } }] : [];
  });
}

function reportModules(reading: FileReading, modules: unknown): void {
  if (!Array.isArray(modules)) return;
  for (const [at, module] of modules.entries()) {
    if (typeof module !== "string" || modules.indexOf(module) === at) continue;
    report(reading, `/modules/${at}`, {
      kind: "duplicate",
      message: `the module ${module} stands twice`,
      hint: "keep one",
    });
  }
}

function reportPlaces(reading: FileReading, value: Mapping): void {
  const named = contextPaths(value["agent_context"], "/agent_context").map(({ path }) => path);
  const files = named.length === 0 ? planContext().paths : named;
  const check = (pointer: string, text: unknown) => {
    if (typeof text !== "string") return;
    const checked = checkClonePath(text, files);
    // Other faults of a path are the schema's to report.
    if (checked.reason === "owned") report(reading, pointer, pathOrFault(text, checked).fault ?? never());
  };
  check("/worktrees/base_dir", valueAt(value, ["worktrees", "base_dir"]));
  const repos = value["extra_repos"];
  for (const [at, repo] of (Array.isArray(repos) ? repos : []).entries()) {
    if (!isMapping(repo)) continue;
    const pointer = `/extra_repos/${at}`;
    check(`${pointer}/${repo["path"] === undefined ? "repo" : "path"}`, repo["path"] ?? repo["repo"]);
    reportSparse(reading, repo, pointer);
  }
}

function never(): never {
  throw new TypeError("a refused path has a fault");
}

function reportSparse(reading: FileReading, repo: Mapping, pointer: string): void {
  const sparse = repo["mode"] === "sparse";
  const paths = repo["sparse_paths"];
  if (sparse && paths === undefined) {
    const message = "mode sparse needs sparse_paths";
    report(reading, `${pointer}/sparse_paths`, { kind: "missing", message, hint: "sparse_paths: [docs]" });
  }
  if (!sparse && paths !== undefined) {
    const message = "sparse_paths has no effect without mode sparse";
    report(reading, `${pointer}/sparse_paths`, { kind: "value", message, hint: "mode: sparse" });
  }
}

function reportRegistry(reading: FileReading, registry: unknown, settings: ManifestSettings): void {
  const inObject = isMapping(registry);
  const text = inObject ? registry["source"] : registry;
  const pointer = inObject ? "/registry/source" : "/registry";
  if (inObject)
    for (const { key, ...fault } of clashesOf(registry)) report(reading, `/registry/${key}`, fault);
  if (typeof text !== "string") return;
  const source = parseSource(text, { ...settings, allowFile: true });
  // What any setting would refuse is the schema's to report; here it is the narrowed protocols.
  if (source.fault?.facts?.["reason"] === "narrowed") report(reading, pointer, source.fault);
  if (source.value?.kind === "shortcut") {
    const message = "the registry holds the shortcuts, so it cannot be one";
    report(reading, pointer, { kind: "value", message, hint: "registry: org/repo" });
  }
}
