import type { Style } from "../../contract/index.ts";
import type { CommitExplained } from "./commit.ts";
import type { Place } from "./declared-at.ts";
import type { RepoExplained } from "./repo.ts";
import type { Given, SettingExplained } from "./setting.ts";
import type { StackExplained } from "./stack.ts";

/** The references of this part for people: one line of what it is, then sentences. */
export const referenceLines = {
  stack: (data: StackExplained, style: Style): string[] => {
    const { id, repo, ref, want, commit, locked_commit, layer, files, overridden, declared_at } = data;
    const lock =
      locked_commit === null
        ? "The lock does not pin it yet."
        : commit === null || commit === locked_commit
          ? `The lock pins ${short(locked_commit)}.`
          : `The lock pins ${short(locked_commit)}; the next run composes ${short(commit)}.`;
    return [
      columns(style.bold(id), repo, plainRef(ref) ?? want, short(commit ?? locked_commit), at(declared_at)),
      layer === null
        ? "workspace.yml no longer declares it; only the lock does."
        : `Layer ${layer}, counted from the lowest; ${files} ${files === 1 ? "file" : "files"} composed here ${files === 1 ? "comes" : "come"} from it.`,
      ...(overridden.length > 0 ? [`A later stack takes from it: ${listed(overridden)}.`] : []),
      lock,
    ];
  },

  repo: (data: RepoExplained, style: Style): string[] => {
    const { path, repo, want, ref, locked_commit, mode, source_stack, declared_at, exists } = data;
    return [
      columns(style.bold(path), repo, plainRef(ref) ?? want, short(locked_commit), at(declared_at)),
      `Declared by ${source_stack}${mode === "submodule" ? ", as a submodule" : ""}; ${exists ? "it stands here" : "it is not cloned yet"}.`,
      locked_commit === null ? "The lock does not pin it yet." : `The lock pins ${short(locked_commit)}.`,
    ];
  },

  setting: (data: SettingExplained, style: Style): string[] => [
    `${style.bold(data.key)} is ${shown(data.value)}, ${fromWords(data)}.`,
    ...data.shadowed.map((given) => `It hides ${shown(given.value)}, ${fromWords(given)}.`),
  ],

  commit: (data: CommitExplained, style: Style): string[] => {
    const { stack, repo, commit, subject, author, committed_at, locked, composed_files: files } = data;
    return [
      columns(style.bold(stack), repo, commit, subject),
      `By ${author}, ${committed_at}.`,
      `${locked ? "The lock pins it" : "The lock does not pin it"}; ${files} ${files === 1 ? "file" : "files"} here ${files === 1 ? "was" : "were"} composed from it.`,
    ];
  },
};

const sources: Record<Given["from"], string> = {
  flag: "given as a flag",
  env: "given by the environment",
  manifest: "given by workspace.yml",
  lock: "given by the lock",
  registry: "given by the stack registry",
  builtin: "which is built in",
};

function fromWords({ from, declared_at }: Given): string {
  return declared_at ? `given by ${declared_at.file}:${declared_at.line}` : sources[from];
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "not set";
  if (Array.isArray(value)) return value.length === 0 ? "empty" : value.map(shown).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function columns(...parts: readonly (string | null | undefined)[]): string {
  return parts.filter(Boolean).join("   ");
}

function at(place: Place | null): string {
  return place ? `(${place.file}:${place.line})` : "";
}

function plainRef(ref: string | null): string | null {
  return ref && ref.replace(/^refs\/(?:heads|tags)\//, "");
}

function short(commit: string | null): string {
  return commit === null ? "" : commit.slice(0, 8);
}

// A longer list tells nobody more; it is whole in --json.
const shownAtMost = 20;

function listed(paths: readonly string[]): string {
  const more = paths.length - shownAtMost;
  return `${paths.slice(0, shownAtMost).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
