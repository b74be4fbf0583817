import { nearest } from "../../contract/index.ts";
import type { ResolvedStack } from "./declared.ts";
import { conventions, declarations } from "./declared-repos.ts";
import { manifestFile } from "./file-names.ts";
import type { Manifest } from "./model/manifest.ts";
import { checkClonePath, pathOrFault } from "./paths.ts";
import type { Fault, Problem } from "./problem.ts";
import { identityOf } from "./sources.ts";

export interface StackChecks {
  /** WRIT_GIT_BASE. */
  base: string;
  /** Every context file of the workspace. */
  contextFiles: readonly string[];
}

/** The problems of workspace.yml that only show once its stacks are known. */
export function checkAgainstStacks(
  manifest: Manifest,
  stacks: readonly ResolvedStack[],
  checks: StackChecks,
): Problem[] {
  const problems: Problem[] = [];
  const add = (pointer: string, fault: Fault) =>
    problems.push({ ...fault, file: manifestFile, pointer, ...manifest.locate(pointer) });
  for (const stack of stacks) {
    const { pointer } = stack.entry.declaredAt;
    for (const key of ["include", "exclude"] as const) {
      for (const [at, name] of (stack.entry[key] ?? []).entries()) {
        const fault = unknownRepo(stack, name);
        if (fault) add(`${pointer}/${key}/${at}`, fault);
      }
    }
  }
  for (const [pointer, fault] of twins(manifest, stacks, checks.base)) add(pointer, fault);
  const modules = manifest.modules.length > 0 ? conventionFault(stacks) : undefined;
  if (modules) add("/modules", modules);
  for (const { value, fault, declaredAt } of declarations(manifest, stacks)) {
    if (fault) add(declaredAt.pointer, fault);
    else placeFault(value.path, checks.contextFiles, (found) => add(declaredAt.pointer, found));
  }
  return problems;
}

function unknownRepo({ label, manifest }: ResolvedStack, name: string): Fault | undefined {
  const known = manifest.repos.map((repo) => repo.name);
  if (known.includes(name)) return undefined;
  const near = nearest(name, known);
  return {
    kind: "value",
    message: `the stack ${label} declares no repository ${name}; it declares ${known.join(", ") || "none"}`,
    ...(near !== undefined && { hint: `did you mean "${near}"?` }),
  };
}

function twins(manifest: Manifest, stacks: readonly ResolvedStack[], base: string): [string, Fault][] {
  const seen = new Map<string, ResolvedStack>();
  return stacks.flatMap((stack): [string, Fault][] => {
    const identity = identityOf(stack.source, base);
    const first = seen.get(identity);
    if (!first) seen.set(identity, stack);
    if (!first) return [];
    const { line } = manifest.locate(first.entry.declaredAt.pointer);
    const message = `${stack.label} and ${first.label} are one stack, first in line ${line}`;
    return [[stack.entry.declaredAt.pointer, { kind: "duplicate", message, hint: "keep one of them" }]];
  });
}

function conventionFault(stacks: readonly ResolvedStack[]): Fault | undefined {
  const found = conventions(stacks);
  if (found.length === 1) return undefined;
  const labels = found.map(({ label }) => label).join(" and ");
  return {
    kind: "value",
    message:
      found.length === 0
        ? "no stack declares a module_convention"
        : `${labels} declare different module_conventions`,
    hint: "name the modules in the entry of their stack: {org: …, modules: […]}",
  };
}

function placeFault(path: string, contextFiles: readonly string[], add: (fault: Fault) => void): void {
  const { fault } = pathOrFault(path, checkClonePath(path, contextFiles));
  if (fault) add(fault);
}
