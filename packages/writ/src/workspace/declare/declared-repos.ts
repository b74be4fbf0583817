import { fail } from "../../contract/index.ts";
import type { DeclaredRepo, ResolvedStack } from "./declared.ts";
import type { DeclaredAt, ExtraRepo, Manifest } from "./model/manifest.ts";
import type { ModuleConvention, StackRepo } from "./model/stack-manifest.ts";
import { foldedPath, isInside, parsePath } from "./paths.ts";
import type { Fault, Parsed } from "./problem.ts";
import { parseToken, repoText, siblingOf } from "./sources.ts";

/** A repository a workspace declares, or why what declares it cannot be followed. */
export type Declaration = Parsed<DeclaredRepo> & { declaredAt: DeclaredAt };

/** Every product repository of a workspace, sorted by path; what cannot be followed is left out. */
export function reposOf(manifest: Manifest, stacks: readonly ResolvedStack[]): DeclaredRepo[] {
  const repos = declarations(manifest, stacks).flatMap(({ value }) => (value ? [value] : []));
  return repos.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** Every declaration in the order they stand: stacks, top-level modules, extra_repos. */
export function declarations(manifest: Manifest, stacks: readonly ResolvedStack[]): Declaration[] {
  const fromStacks = stacks.flatMap((stack) => [
    ...chosenRepos(stack).map((repo) => repoOf(stack, repo)),
    ...stack.entry.modules.map((module, at) =>
      moduleOf(stack, module, {
        ...stack.entry.declaredAt,
        pointer: `${stack.entry.declaredAt.pointer}/modules/${at}`,
      }),
    ),
  ]);
  const [convention] = conventions(stacks);
  const modules = convention
    ? manifest.modules.map((module, at) => {
        const pointer = `/modules/${at}`;
        return moduleOf(convention, module, { pointer, line: manifest.locate(pointer).line });
      })
    : [];
  return [...fromStacks, ...modules, ...manifest.extraRepos.map(extraOf)];
}

/** The stacks whose modules differ in where they come from or go to; one of each kind. */
export function conventions(stacks: readonly ResolvedStack[]): ResolvedStack[] {
  const seen = new Map<string, ResolvedStack>();
  for (const stack of stacks) {
    if (!stack.manifest.moduleConvention) continue;
    const { value } = moduleOf(stack, "module", stack.entry.declaredAt);
    const key = value ? JSON.stringify([repoText(value.source), value.path, value.want]) : stack.label;
    if (!seen.has(key)) seen.set(key, stack);
  }
  return [...seen.values()];
}

function chosenRepos({ entry, manifest }: ResolvedStack): StackRepo[] {
  const { include, exclude, capabilitiesOnly, modules } = entry;
  if (capabilitiesOnly) return [];
  // An entry that names modules asks for those, and for what it names besides.
  if (include || modules.length > 0) return manifest.repos.filter(({ name }) => include?.includes(name));
  return manifest.repos.filter(({ name }) => exclude?.includes(name) !== true);
}

function repoOf(stack: ResolvedStack, repo: StackRepo): Declaration {
  const { declaredAt } = stack.entry;
  const source = siblingOf(stack.source, { org: repo.org, name: repo.name });
  if (source.fault) return { fault: source.fault, declaredAt };
  const value: DeclaredRepo = {
    path: repo.path,
    source: source.value,
    want: repo.branchDefault === undefined ? "default" : `branch:${repo.branchDefault}`,
    mode: "clone",
    from: stack.label,
    stack: stack.label,
    declaredAt,
  };
  return { value, declaredAt };
}

const defaultConvention: ModuleConvention = { pathPrefix: "addons/", repoPattern: "{module_name}" };

function moduleOf(stack: ResolvedStack, module: string, declaredAt: DeclaredAt): Declaration {
  const convention = stack.manifest.moduleConvention ?? defaultConvention;
  const name = parseToken(
    convention.repoPattern.replace("{module_name}", () => module),
    "the module's repository",
  );
  const path = parsePath(`${convention.pathPrefix}${module}`);
  const fault: Fault | undefined = name.fault ?? path.fault;
  if (fault || name.fault || path.fault) return { fault: fault as Fault, declaredAt };
  const source = siblingOf(stack.source, { org: convention.defaultOrg, name: name.value });
  if (source.fault) return { fault: source.fault, declaredAt };
  const value: DeclaredRepo = {
    path: path.value,
    source: source.value,
    want: convention.branchDefault === undefined ? "default" : `branch:${convention.branchDefault}`,
    mode: "clone",
    from: "modules",
    stack: stack.label,
    declaredAt,
  };
  return { value, declaredAt };
}

function extraOf(repo: ExtraRepo): Declaration {
  const { path, want, mode, sparsePaths, declaredAt } = repo;
  const source = { kind: "repo", org: repo.org, repo: repo.repo } as const;
  return {
    value: { path, source, want, mode, ...(sparsePaths && { sparsePaths }), from: "extra_repos", declaredAt },
    declaredAt,
  };
}

/** Refuses two clones at one path, one inside another, or at paths that some file system holds for equal. */
export function requireDistinctPaths(repos: readonly DeclaredRepo[]): void {
  for (const [at, repo] of repos.entries()) {
    const other = repos
      .slice(0, at)
      .find(({ path }) => isInside(repo.path, path) || isInside(path, repo.path));
    if (other) throw pathConflict(other, repo);
  }
}

/** Refuses a clone that would stand where a file is composed, above one, or below one. */
export function requireApart(repos: readonly DeclaredRepo[], composed: Iterable<string>): void {
  const clones = new Map(repos.map((repo) => [foldedPath(repo.path), repo]));
  const above = new Map(repos.flatMap((repo) => foldersAbove(foldedPath(repo.path)).map((at) => [at, repo])));
  if (clones.size === 0) return;
  for (const path of composed) {
    const key = foldedPath(path);
    const [hit] = [key, ...foldersAbove(key)].flatMap((at) => clones.get(at) ?? []);
    const repo = hit ?? above.get(key);
    if (repo) throw cloneInTheWay(repo, path);
  }
}

function foldersAbove(path: string): string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, at) => segments.slice(0, at + 1).join("/"));
}

function cloneInTheWay({ path, from, source, declaredAt }: DeclaredRepo, file: string): Error {
  return fail("E_PATH_CONFLICT", {
    message: `A repository would be cloned to ${path}, where ${file} is composed.`,
    cause: `${repoText(source)} (${from}, workspace.yml line ${declaredAt.line}) and the composed files need one place.`,
    remediation: "Give the repository another path, or leave it out with exclude, then: writ bootstrap",
    details: { path, origins: [{ path, repo: repoText(source), from }, { path: file }] },
  });
}

function pathConflict(first: DeclaredRepo, second: DeclaredRepo): Error {
  const origins = [first, second].map(({ path, source, from, declaredAt }) => ({
    path,
    repo: repoText(source),
    from,
    line: declaredAt.line,
  }));
  const spell = ({ path, from, line }: (typeof origins)[number]) =>
    `${path} (${from}, workspace.yml line ${line})`;
  return fail("E_PATH_CONFLICT", {
    message: "Two repositories would be cloned to one place.",
    cause: origins.map(spell).join(" and "),
    remediation: "Give one of them another path, or leave one out with exclude, then: writ bootstrap",
    details: { path: second.path, origins },
  });
}
