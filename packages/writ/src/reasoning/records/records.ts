import type { CallerBody } from "../model/bodies.ts";
import type { DriverBody } from "../model/driver-bodies.ts";
import type { ReasoningRecord, RecordOf, StoredBody } from "../model/record.ts";
import { isOf } from "../model/is-of.ts";
import { subjectKey } from "./clean.ts";

/** Records in order of their sequence, as far as they are known, with the relations between them. */
export class Records {
  readonly #byId = new Map<string, ReasoningRecord>();
  readonly #byRoot = new Map<string, ReasoningRecord[]>();
  readonly #bySubject = new Map<string, RecordOf<"assessment">[]>();
  readonly #supersededBy = new Map<string, string>();
  readonly #newestOfTask = new Map<string, ReasoningRecord>();

  /** From records in any order. */
  static of(records: Iterable<ReasoningRecord>): Records {
    const made = new Records();
    for (const record of [...records].sort((a, b) => a.seq - b.seq)) made.add(record);
    return made;
  }

  /** Adds the record that comes next. */
  add(record: ReasoningRecord): void {
    this.#byId.set(record.id, record);
    this.#newestOfTask.set(record.task, record);
    const root = this.rootOf(record.body) ?? (isOf(record, "assessment") ? record.id : undefined);
    if (root !== undefined) push(this.#byRoot, root, record);
    if (isOf(record, "assessment")) push(this.#bySubject, subjectKey(record.body.subject), record);
    if (isOf(record, "conclusion") && record.body.supersedes !== undefined)
      this.#supersededBy.set(record.body.supersedes, record.id);
  }

  find(id: string): ReasoningRecord | undefined {
    return this.#byId.get(id);
  }

  findOf<K extends StoredBody["kind"]>(id: string, kind: K): RecordOf<K> | undefined {
    const found = this.#byId.get(id);
    return isOf(found, kind) ? found : undefined;
  }

  all(): IterableIterator<ReasoningRecord> {
    return this.#byId.values();
  }

  /** Every record of an assessment, itself included, in order. */
  ofRoot(assessment: string): readonly ReasoningRecord[] {
    return this.#byRoot.get(assessment) ?? [];
  }

  ofRootOf<K extends StoredBody["kind"]>(assessment: string, kind: K): RecordOf<K>[] {
    return this.ofRoot(assessment).filter((record): record is RecordOf<K> => isOf(record, kind));
  }

  /** Assessments with an equal subject, in order. */
  withSubject(subject: string): readonly RecordOf<"assessment">[] {
    return this.#bySubject.get(subjectKey(subject)) ?? [];
  }

  supersededBy(conclusion: string): string | undefined {
    return this.#supersededBy.get(conclusion);
  }

  newestOfTask(task: string): ReasoningRecord | undefined {
    return this.#newestOfTask.get(task);
  }

  /** The assessment a body belongs to, as far as what it names is known; an assessment belongs to itself, later. */
  rootOf(body: CallerBody | DriverBody | StoredBody): string | undefined {
    switch (body.kind) {
      case "plan":
      case "local_review":
      case "disagreement":
      case "conclusion":
      case "attempt":
        return body.assessment;
      case "dispatch":
      case "consultation":
        return this.findOf(body.plan, "plan")?.body.assessment;
      case "resolution":
        return this.findOf(body.disagreement, "disagreement")?.body.assessment;
      case "validation":
        return this.findOf(body.conclusion, "conclusion")?.body.assessment;
      case "waiver": {
        if (body.selection) return this.findOf(body.selection.plan, "plan")?.body.assessment;
        const answer = this.findOf(body.consultation ?? "", "consultation");
        return answer && this.findOf(answer.body.plan, "plan")?.body.assessment;
      }
      case "assessment":
      case "circuit_reset":
        return undefined;
    }
  }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
