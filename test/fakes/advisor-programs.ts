import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A scripted program on a private PATH that stands in for another party's command line. */
export interface AdvisorProgram {
  /** What it was called with, word by word, at the last call. */
  argv(): string[];
  /** What it read on standard input. */
  brief(): string;
  environment(): string;
  /** What it does from now on, in the words of a POSIX shell; `brief` has been read. */
  does(script: string): void;
  wasRun(): boolean;
  remove(): void;
}

/** Writes a program that notes what it is given and does what the script says. */
export function advisorProgram(folder: string, name: string, script = "exit 1"): AdvisorProgram {
  const notes = join(folder, ".notes", name);
  mkdirSync(notes, { recursive: true });
  const path = join(folder, name);
  const behaviour = join(notes, "behaviour.sh");
  const note = (what: string) => join(notes, what);
  writeFileSync(
    path,
    [
      "#!/bin/sh",
      `for word in "$@"; do printf '%s\\n' "$word"; done > ${note("argv")}`,
      `/usr/bin/env > ${note("env")}`,
      `/bin/cat > ${note("brief")}`,
      `. ${behaviour}`,
      "",
    ].join("\n"),
  );
  chmodSync(path, 0o755);
  const read = (what: string) => readFileSync(note(what), "utf8");
  const program: AdvisorProgram = {
    argv: () => read("argv").split("\n").slice(0, -1),
    brief: () => read("brief"),
    environment: () => read("env"),
    does: (words) => writeFileSync(behaviour, `${words}\n`),
    wasRun: () => existsSync(note("argv")),
    remove: () => rmSync(path),
  };
  program.does(script);
  return program;
}

/** A script that prints a text, whatever is in it. */
export function prints(text: string): string {
  return `/bin/cat <<'WRIT_END'\n${text}\nWRIT_END`;
}

/** What the command line of Claude Code prints. */
export const claudePrints = (text: string): string =>
  prints(
    JSON.stringify({
      type: "result",
      subtype: "success",
      is_error: false,
      result: text,
      usage: { input_tokens: 60, cache_read_input_tokens: 40, output_tokens: 20 },
    }),
  );

/** What the command line of Gemini prints. */
export const geminiPrints = (text: string): string =>
  prints(
    JSON.stringify({ response: text, stats: { models: { m: { tokens: { prompt: 100, candidates: 20 } } } } }),
  );

/** What the command line of Codex prints, and the file it leaves its last message in. */
export const codexPrints = (text: string): string =>
  [
    `/bin/cat > "$TMPDIR/answer.txt" <<'WRIT_END'\n${text}\nWRIT_END`,
    prints(
      [
        { type: "thread.started", thread_id: "t" },
        { type: "item.completed", item: { type: "agent_message", text } },
        { type: "turn.completed", usage: { input_tokens: 100, output_tokens: 20 } },
      ]
        .map((event) => JSON.stringify(event))
        .join("\n"),
    ),
  ].join("\n");
