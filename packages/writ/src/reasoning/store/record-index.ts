import type { StoredBody } from "../model/record.ts";
import type { IndexLine } from "./facts.ts";

/** Where the chain of records stands: the last sequence and its digest. */
export interface ChainHead {
  seq: number;
  digest: string;
}

const chainStart: ChainHead = { seq: 0, digest: "0".repeat(64) };

/** The index in memory: every record by id, assessment, subject, task and kind. */
export class RecordIndex {
  readonly lines: IndexLine[] = [];
  readonly #byId = new Map<string, IndexLine>();
  readonly #byRoot = new Map<string, IndexLine[]>();
  readonly #bySubject = new Map<string, IndexLine[]>();
  readonly #byKind = new Map<string, IndexLine[]>();
  readonly #newestOfTask = new Map<string, IndexLine>();
  readonly #advisors = new Set<string>();

  static of(lines: Iterable<IndexLine>): RecordIndex {
    const made = new RecordIndex();
    for (const line of lines) made.add(line);
    return made;
  }

  add(line: IndexLine): void {
    this.lines.push(line);
    this.#byId.set(line.id, line);
    this.#newestOfTask.set(line.task, line);
    const { root, kind, facts } = line;
    const belongsTo = kind === "assessment" ? line.id : root;
    if (belongsTo !== undefined) push(this.#byRoot, belongsTo, line);
    if (facts.subject !== undefined) push(this.#bySubject, facts.subject, line);
    if (facts.advisor !== undefined) this.#advisors.add(facts.advisor);
    for (const advisor of facts.selected ?? []) this.#advisors.add(advisor);
    push(this.#byKind, kind, line);
  }

  find(id: string): IndexLine | undefined {
    return this.#byId.get(id);
  }

  ofRoot(assessment: string): readonly IndexLine[] {
    return this.#byRoot.get(assessment) ?? [];
  }

  withSubject(subject: string): readonly IndexLine[] {
    return this.#bySubject.get(subject) ?? [];
  }

  ofKind(kind: StoredBody["kind"]): readonly IndexLine[] {
    return this.#byKind.get(kind) ?? [];
  }

  newestOfTask(task: string): IndexLine | undefined {
    return this.#newestOfTask.get(task);
  }

  /** Whether any record names the advisor. */
  knowsAdvisor(advisor: string): boolean {
    return this.#advisors.has(advisor);
  }

  get head(): ChainHead {
    const last = this.lines.at(-1);
    return last ? { seq: last.seq, digest: last.digest } : chainStart;
  }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
