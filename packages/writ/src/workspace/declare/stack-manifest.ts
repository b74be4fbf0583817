import { fail, type Warning } from "../../contract/index.ts";
import { cleanContext, contextFaults } from "./agent-context-rules.ts";
import { stackFile } from "./file-names.ts";
import type { StackManifest } from "./model/stack-manifest.ts";
import { StackSchema, type StackFile } from "./model/stack-schema.ts";
import { checkClonePath, parsePath, pathOrFault } from "./paths.ts";
import { problemsError, readFile, report, validate, type FileReading, type Problem } from "./problems.ts";

/** Whose awac.yml it is. */
export interface StackOrigin {
  /** The stack's id. */
  stack: string;
  /** Absent for a folder without git. */
  commit?: string;
  registry?: boolean;
}

const noManifest: StackManifest = { repos: [], shortcuts: {}, templates: [] };

/**
 * Reads a stack's awac.yml; `undefined` bytes are a stack that has none, which only the registry may not be.
 * Throws E_INVALID_STACK or E_INVALID_REGISTRY with every problem; unknown keys are only a warning.
 */
export function parseStackManifest(
  bytes: Uint8Array | string | undefined,
  origin: StackOrigin,
): { manifest: StackManifest; warnings: Warning[] } {
  if (bytes === undefined) {
    if (origin.registry === true) throw missingRegistry(origin);
    return { manifest: noManifest, warnings: [] };
  }
  const { manifest, warnings, problems } = readStackManifest(bytes, origin);
  if (!manifest) throw stackError(problems, origin);
  return { manifest, warnings };
}

/** Reads awac.yml as far as it can be read; never throws. */
export function readStackManifest(
  bytes: Uint8Array | string,
  origin: StackOrigin,
): { manifest?: StackManifest; warnings: Warning[]; problems: Problem[] } {
  const reading = readFile(bytes, stackFile);
  if (reading.value === undefined) return { warnings: [], problems: reading.problems };
  // A file of comments only declares nothing.
  if (reading.value === null) return { manifest: noManifest, warnings: [], problems: reading.problems };
  const { value: file, unknown } = validate(StackSchema, reading, { unknown: "list" });
  const warnings = unknown.length === 0 ? [] : [unknownKeys(unknown, origin)];
  if (file) reportPlaces(reading, file);
  if (!file || reading.problems.length > 0) return { warnings, problems: reading.problems };
  return { manifest: manifestOf(reading, file), warnings, problems: [] };
}

function unknownKeys(pointers: readonly string[], { stack }: StackOrigin): Warning {
  const named = pointers
    .toSorted()
    .slice(0, 10)
    .map((pointer) => pointer.slice(1).replaceAll("/", "."));
  const more = pointers.length > named.length ? ` and ${pointers.length - named.length} more` : "";
  return {
    code: "W_STACK_UNKNOWN_KEY",
    message: `${stackFile} of ${stack} has keys that Writ does not know: ${named.join(", ")}${more}.`,
    remediation: "Compare them with the format: writ schema stack",
  };
}

function reportPlaces(reading: FileReading, file: StackFile): void {
  for (const fault of contextFaults(file.agent_context, "/agent_context"))
    report(reading, fault.pointer, fault);
  for (const [at, repo] of (file.repos ?? []).entries()) {
    const path = repo.path ?? repo.name;
    const { fault } = pathOrFault(path, checkClonePath(path));
    if (fault) report(reading, `/repos/${at}/${repo.path === undefined ? "name" : "path"}`, fault);
  }
}

function manifestOf(reading: FileReading, file: StackFile): StackManifest {
  const convention = file.module_convention;
  return {
    ...(file.product !== undefined && { product: file.product }),
    ...(file.scope !== undefined && { scope: file.scope }),
    repos: (file.repos ?? []).map((repo, at) => ({
      name: repo.name,
      ...(repo.org !== undefined && { org: repo.org }),
      ...(repo.branch_default !== undefined && { branchDefault: repo.branch_default }),
      path: parsePath(repo.path ?? repo.name).value ?? repo.name,
      line: reading.locate(`/repos/${at}`).line,
    })),
    ...(convention && {
      moduleConvention: {
        ...(convention.default_org !== undefined && { defaultOrg: convention.default_org }),
        pathPrefix: convention.path_prefix ?? "addons/",
        ...(convention.branch_default !== undefined && { branchDefault: convention.branch_default }),
        repoPattern: convention.repo_pattern ?? "{module_name}",
      },
    }),
    shortcuts: file.shortcuts ?? {},
    templates: file.templates ?? [],
    ...(file.agent_context && { agentContext: cleanContext(file.agent_context) }),
    ...(file.org_scaffold && { orgScaffold: file.org_scaffold }),
  };
}

function stackError(problems: readonly Problem[], origin: StackOrigin): Error {
  const { stack, commit, registry } = origin;
  const error = problemsError(problems, registry === true ? "E_INVALID_REGISTRY" : "E_INVALID_STACK", {
    document: "stack",
    subject: `${stackFile} of ${stack}${commit === undefined ? "" : ` at ${commit.slice(0, 8)}`}`,
    details: { stack, ...(commit !== undefined && { commit }), file: stackFile },
    remediation:
      "Correct it in the stack's repository, or pin an older commit. The format: writ schema stack",
  });
  return error;
}

function missingRegistry({ stack, commit }: StackOrigin): Error {
  return fail("E_INVALID_REGISTRY", {
    message: `${stack} is no registry: it has no ${stackFile}.`,
    cause: `The registry's ${stackFile} holds the shortcuts and templates.`,
    remediation:
      "Name another registry with --registry, WRIT_REGISTRY or registry: in workspace.yml. See: writ shortcuts",
    details: { stack, ...(commit !== undefined && { commit }), file: stackFile, problems: [] },
  });
}
