import { type Command, fail, flagWord } from "../../contract/index.ts";
import { commonFlags } from "./common-flags.ts";

/** The completion script of a shell, generated from the table of commands. */
export function completionScript(shell: string, rows: readonly Command[]): string {
  const table = rows.map((row) => ({
    path: row.path.join(" "),
    words: [...row.flags.filter((flag) => flag.positional === undefined), ...commonFlags].map(({ name }) =>
      flagWord(name),
    ),
  }));
  switch (shell) {
    case "bash":
      return bash(table);
    case "zsh":
      // zsh runs bash's completions through its own compatibility layer.
      return `autoload -Uz bashcompinit compinit\ncompinit\nbashcompinit\n${bash(table)}`;
    case "fish":
      return fish(rows);
    default:
      throw fail("USAGE_ERROR", {
        message: `There are no completions for "${shell.slice(0, 40)}".`,
        cause: "Writ knows bash, zsh and fish.",
        remediation: "Use one of them: writ --completions bash",
      });
  }
}

function bash(table: { path: string; words: string[] }[]): string {
  const groups = new Map<string, Set<string>>();
  for (const { path } of table) {
    const words = path.split(" ");
    words.forEach((word, i) => {
      const parent = words.slice(0, i).join(" ");
      groups.set(parent, (groups.get(parent) ?? new Set()).add(word));
    });
  }
  const cases = [
    ...[...groups].map(([path, words]) => `    "${path}") words="${[...words].join(" ")}" ;;`),
    ...table.map(({ path, words }) => `    "${path}") words="${words.join(" ")}" ;;`),
  ];
  return `_writ() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in -*) ;; *) path="\${path:+$path }\${COMP_WORDS[i]}" ;; esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _writ writ
`;
}

function fish(rows: readonly Command[]): string {
  const lines = rows.flatMap((row) => {
    const seen = row.path.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
    const parents = row.path.slice(0, -1).map((word) => `__fish_seen_subcommand_from ${word}`);
    const when = parents.length > 0 ? parents.join("; and ") : "__fish_use_subcommand";
    return [
      `complete -c writ -f -n "${when}" -a ${row.path.at(-1) ?? ""} -d '${row.summary.replaceAll("'", "\\'")}'`,
      ...row.flags
        .filter((flag) => flag.positional === undefined)
        .map(
          (flag) =>
            `complete -c writ -n "${seen}" ${flag.name.length === 1 ? "-s" : "-l"} ${flag.name} -d '${flag.description.replaceAll("'", "\\'")}'`,
        ),
    ];
  });
  return `${lines.join("\n")}\n`;
}
