import { manifestFile } from "./file-names.ts";
import { fail, nearest, slotNames, type Slots, type Warning } from "../../contract/index.ts";
import { cleanContext } from "./agent-context-rules.ts";
import { entriesOf, reportClashes, reportNewer, type ManifestSettings } from "./manifest-rules.ts";
import { schemaWords, type ExtraRepo, type Manifest, type SchemaWord } from "./model/manifest.ts";
import { isStyledName } from "./model/text.ts";
import { WorkspaceSchema, type WorkspaceFile } from "./model/workspace-schema.ts";
import { parsePath } from "./paths.ts";
import { problemsError, readFile, validate, type FileReading, type Problem } from "./problems.ts";
import { wantOf } from "./refs.ts";
import { isMapping, withoutFreeKeys } from "./schema-walk.ts";
import { filledSchema } from "./slots.ts";
import { parseSource } from "./sources.ts";

export type { ManifestSettings } from "./manifest-rules.ts";

/** workspace.yml as far as it could be read, with all that is wrong with it. */
export interface ManifestReading {
  /** Absent when there are problems. */
  manifest?: Manifest;
  warnings: Warning[];
  problems: Problem[];
}

/** What a file is read with: the rules of its sources, and who owns the blocks of other parts. */
export interface ReadSettings extends ManifestSettings {
  slots: Slots;
}

/** Reads workspace.yml and finds every problem at once; throws only E_INVALID_SCHEMA. */
export async function readManifest(
  bytes: Uint8Array | string,
  { slots, ...settings }: ReadSettings,
): Promise<ManifestReading> {
  const reading = readFile(bytes, manifestFile);
  const { value } = reading;
  const present = isMapping(value) ? slotNames.filter((name) => Object.hasOwn(value, name)) : [];
  return manifestIn(reading, settings, await filledSchema(slots, present));
}

/** What a file that was read declares, and every problem of it; throws only E_INVALID_SCHEMA. */
export function manifestIn(
  reading: FileReading,
  settings: ManifestSettings,
  schema = WorkspaceSchema,
): ManifestReading {
  // A text that broke off says nothing about what it lacks.
  if (reading.value === undefined) return { warnings: [], problems: reading.problems };
  const word = wordOf(reading.value);
  const { value: file } = validate(schema, reading);
  const value = withoutFreeKeys(schema, reading.value);
  if (isMapping(value)) {
    reportNewer(reading, value, word.schema);
    reportClashes(reading, value, { word: word.schema, settings });
  }
  const { problems } = reading;
  if (problems.length > 0 || !file) return { warnings: word.warnings, problems };
  const warnings = [...word.warnings, ...nameWarnings(file.name, word.schema)];
  const blocks = isMapping(value) ? blocksOf(value) : {};
  return {
    manifest: manifestOf(reading, file, { schema: word.schema, settings, blocks }),
    warnings,
    problems,
  };
}

/** Reads workspace.yml; throws the one error of all its problems. */
export async function parseManifest(
  bytes: Uint8Array | string,
  settings: ReadSettings,
): Promise<{ manifest: Manifest; warnings: Warning[] }> {
  const { manifest, warnings, problems } = await readManifest(bytes, settings);
  if (!manifest) throw problemsError(problems, "E_INVALID_MANIFEST");
  return { manifest, warnings };
}

function wordOf(value: unknown): { schema: SchemaWord; warnings: Warning[] } {
  const declared = isMapping(value) ? value["schema"] : undefined;
  if (declared === undefined && isMapping(value)) {
    const remediation = `Add the line "schema: awac/1" to ${manifestFile}, or a later word.`;
    return {
      schema: "awac/1",
      warnings: [
        {
          code: "W_SCHEMA_MISSING",
          message: `${manifestFile} declares no schema; awac/1 is assumed.`,
          remediation,
        },
      ],
    };
  }
  // A word of the wrong type is a problem of its own; reading on as the latest adds no false ones.
  if (typeof declared !== "string") return { schema: "writ/1", warnings: [] };
  if (declared === "workspace/1") return { schema: "awac/1", warnings: [] };
  const known = schemaWords.find((word) => word === declared);
  if (known) return { schema: known, warnings: [] };
  const supported = [...schemaWords, "workspace/1"];
  const near = nearest(declared, supported) ?? "writ/1";
  throw fail("E_INVALID_SCHEMA", {
    message: `${manifestFile} declares the schema ${JSON.stringify(declared.slice(0, 80))}, which Writ does not know.`,
    cause: `Supported are ${supported.join(", ")}.`,
    remediation: `Write "schema: ${near}" in ${manifestFile}. The format: writ schema workspace`,
    details: { file: manifestFile, pointer: "/schema", schema: declared.slice(0, 80), supported },
  });
}

function nameWarnings(name: string, word: SchemaWord): Warning[] {
  if (word === "writ/1" || isStyledName(name)) return [];
  const message = `The name ${JSON.stringify(name)} is not in the style writ/1 asks for: lower case, digits, hyphens.`;
  return [
    { code: "W_NAME_STYLE", message, remediation: `Change name in ${manifestFile} before moving to writ/1.` },
  ];
}

/** As they were written: whoever owns a block reads it by its own schema, once. */
function blocksOf(value: Record<string, unknown>): Manifest["blocks"] {
  return Object.fromEntries(
    slotNames.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])),
  );
}

function manifestOf(
  reading: FileReading,
  file: WorkspaceFile,
  context: { schema: SchemaWord; settings: ManifestSettings; blocks: Manifest["blocks"] },
): Manifest {
  const { schema, settings, blocks } = context;
  const at = (pointer: string) => ({ pointer, line: reading.locate(pointer).line });
  const overlay = file.private_overlay;
  return {
    schema,
    name: file.name,
    stacks: entriesOf(reading, file.stacks ?? [], settings),
    modules: file.modules ?? [],
    extraRepos: (file.extra_repos ?? []).map((repo, index) => extraRepoOf(repo, at(`/extra_repos/${index}`))),
    ...(overlay && {
      privateOverlay: {
        org: overlay.org,
        repo: overlay.repo,
        want: wantOf(overlay),
        ...(overlay.path_in_repo !== undefined && { pathInRepo: cleanPath(overlay.path_in_repo) }),
        declaredAt: at("/private_overlay"),
      },
    }),
    ...(file.agent_context && { agentContext: cleanContext(file.agent_context) }),
    worktrees: {
      baseDir: cleanPath(file.worktrees?.base_dir ?? ".worktrees"),
      autoSyncOnCreate: file.worktrees?.auto_sync_on_create ?? true,
    },
    workspaceRepo: {
      ...file.workspace_repo,
      enabled: file.workspace_repo?.enabled ?? false,
      visibility: file.workspace_repo?.visibility ?? "private",
    },
    ...(file.product !== undefined && { product: file.product }),
    deployOverrides: file.deploy_overrides ?? {},
    devvaultOverrides: file.devvault_overrides ?? {},
    ...registryOf(file.registry, at("/registry")),
    blocks,
    ...(file.notify && { notify: file.notify }),
    locate: (pointer) => reading.locate(pointer),
  };
}

function registryOf(
  registry: WorkspaceFile["registry"],
  declaredAt: { pointer: string; line: number },
): Pick<Manifest, "registry"> {
  if (registry === undefined) return {};
  const pinned = typeof registry === "string" ? { source: registry } : registry;
  const source = parseSource(pinned.source, { allowFile: true }).value;
  return source ? { registry: { source, want: wantOf(pinned), declaredAt } } : {};
}

type WrittenRepo = NonNullable<WorkspaceFile["extra_repos"]>[number];

function extraRepoOf(repo: WrittenRepo, declaredAt: { pointer: string; line: number }): ExtraRepo {
  return {
    org: repo.org,
    repo: repo.repo,
    want: wantOf(repo),
    path: cleanPath(repo.path ?? repo.repo),
    mode: repo.mode ?? "clone",
    ...(repo.sparse_paths && { sparsePaths: repo.sparse_paths.map(cleanPath) }),
    declaredAt,
  };
}

function cleanPath(path: string): string {
  return parsePath(path).value ?? path;
}
