import type { StoredBody } from "../model/record.ts";
import type { IndexLine } from "./facts.ts";

/** Where the chain of records stands: the last sequence and its digest. */
export interface ChainHead {
  seq: number;
  digest: string;
}

const chainStart: ChainHead = { seq: 0, digest: "0".repeat(64) };

/**
 * The index in memory: every record by id, assessment, subject, task and kind. What nobody asks for is not sorted: a
 * process that reads a large index once needs little of it.
 */
export class RecordIndex {
  readonly lines: IndexLine[] = [];
  readonly #byId = new Grouped(this.lines, ({ id }) => id);
  readonly #byRoot = new Grouped(this.lines, ({ kind, id, root }) => (kind === "assessment" ? id : root));
  readonly #bySubject = new Grouped(this.lines, ({ facts }) => facts.subject);
  readonly #byKind = new Grouped(this.lines, ({ kind }) => kind);
  readonly #byTask = new Grouped(this.lines, ({ task }) => task);

  static of(lines: Iterable<IndexLine>): RecordIndex {
    const made = new RecordIndex();
    for (const line of lines) made.add(line);
    return made;
  }

  add(line: IndexLine): void {
    this.lines.push(line);
  }

  find(id: string): IndexLine | undefined {
    return this.#byId.of(id).at(-1);
  }

  ofRoot(assessment: string): readonly IndexLine[] {
    return this.#byRoot.of(assessment);
  }

  withSubject(subject: string): readonly IndexLine[] {
    return this.#bySubject.of(subject);
  }

  ofKind(kind: StoredBody["kind"]): readonly IndexLine[] {
    return this.#byKind.of(kind);
  }

  newestOfTask(task: string): IndexLine | undefined {
    return this.#byTask.of(task).at(-1);
  }

  /** Whether any record names the advisor. */
  knowsAdvisor(advisor: string): boolean {
    return this.lines.some(({ facts }) => facts.advisor === advisor || facts.selected?.includes(advisor));
  }

  get head(): ChainHead {
    const last = this.lines.at(-1);
    return last ? { seq: last.seq, digest: last.digest } : chainStart;
  }
}

/** Lines by a key of theirs, in order; it catches up with what was added when it is asked. */
class Grouped {
  readonly #lines: readonly IndexLine[];
  readonly #keyOf: (line: IndexLine) => string | undefined;
  readonly #groups = new Map<string, IndexLine[]>();
  #seen = 0;

  constructor(lines: readonly IndexLine[], keyOf: (line: IndexLine) => string | undefined) {
    this.#lines = lines;
    this.#keyOf = keyOf;
  }

  of(key: string): readonly IndexLine[] {
    for (; this.#seen < this.#lines.length; this.#seen++) {
      const line = this.#lines[this.#seen] as IndexLine;
      const group = this.#keyOf(line);
      if (group === undefined) continue;
      const known = this.#groups.get(group);
      if (known) known.push(line);
      else this.#groups.set(group, [line]);
    }
    return this.#groups.get(key) ?? none;
  }
}

const none: readonly IndexLine[] = [];
