import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createApp } from "../../packages/writ/src/app/index.ts";
import { systemClock } from "../../packages/writ/src/platform/index.ts";
import type { ReasoningRecord } from "../../packages/writ/src/reasoning/model/record.ts";
import { Records } from "../../packages/writ/src/reasoning/records/records.ts";
import { indexFile, recordFile, toldFile } from "../../packages/writ/src/reasoning/store/paths.ts";
import { lineOf } from "../../packages/writ/src/reasoning/store/rebuild.ts";
import { digestOf, recordText } from "../../packages/writ/src/reasoning/store/record-bytes.ts";
import { tempFolder } from "../../test/fixtures/temp-folder.ts";

/** A workspace with records, and the program over it in this process. */
export interface Shelf extends Disposable {
  root: string;
  /** Every file of a record. */
  files: string[];
  /** Calls and throws what the call refuses. */
  call(capability: string, input?: Record<string, unknown>): Promise<Record<string, unknown>>;
}

const evidence = [{ kind: "test", reference: "suite" }];
const review = {
  plans: 0,
  replans: 0,
  reviewed_by: [],
  review_count: 0,
  independent_sources: [],
  independent_source_count: 0,
  same_source_as_executor: [],
  failed: [],
  waived: [],
  pending: [],
  basis: "local",
};

function bodyOf(i: number, ids: string[]): { kind: string } & Record<string, unknown> {
  const assessment = ids[i - (i % 10)];
  switch (i % 10) {
    case 0:
      return {
        kind: "assessment",
        subject: `Whether part ${i} holds under load`,
        materiality: "low",
        confidence: "medium",
        affects: [],
        facts: Array.from({ length: 5 }, (_, n) => `Fact ${n} of part ${i}, verified by running it twice`),
        assumptions: ["It grows slowly"],
        questions: [],
        evidence,
        capabilities: [],
        new_evidence: false,
        confidential: false,
      };
    case 8:
      return {
        kind: "conclusion",
        assessment,
        decision: `Keep part ${i}`,
        rationale: "It held.",
        evidence,
        consultations: [],
        disagreements: [],
        rejected: [],
        assumptions: [],
        risks: ["It may not hold at ten times that"],
        validation_plan: ["run the suite"],
        confidence: "medium",
        review,
      };
    case 9:
      return {
        kind: "validation",
        conclusion: ids[i - 1],
        check: "suite",
        outcome: "pass",
        exit_code: 0,
        evidence,
        settles: [],
      };
    default:
      return {
        kind: "attempt",
        assessment,
        attempt: `Ran part ${i} with half the memory and twice the clients`,
        observed_failure: "It fell over after a minute",
        evidence,
      };
  }
}

/** What a shelf holds and where it stands. */
interface ShelfOptions {
  /** The body of the nth record, after those with these ids; an uncertainty in ten steps where it is not given. */
  body?: (i: number, ids: string[]) => { kind: string } & Record<string, unknown>;
  /** Only the index and the last task's files: for what reads no others. */
  bare?: boolean;
  /** More files of the workspace. */
  files?: Readonly<Record<string, string>>;
  env?: Readonly<Record<string, string>>;
}

const perTask = 50;

/** The records of a shelf in order, as the program itself writes them. */
function* recordsOf(count: number, body: NonNullable<ShelfOptions["body"]>) {
  const ids: string[] = [];
  let prev = "0".repeat(64);
  for (let i = 0; i < count; i++) {
    const said = body(i, ids);
    const id = `${said.kind}_01930000-0000-7000-8000-${String(i).padStart(12, "0")}`;
    ids.push(id);
    const record = {
      schema: "writ/reasoning-record",
      version: 1,
      id,
      seq: i + 1,
      prev,
      task: `task-${Math.floor(i / perTask)}`,
      recorded_at: "2026-11-30T12:00:00.000Z",
      actor: "user:ana",
      act: "act_1",
      capability: "reasoning.record",
      redacted: [],
      input_sha256: "0".repeat(64),
      body: said,
    } as unknown as ReasoningRecord;
    const text = recordText(record);
    prev = digestOf(text);
    yield { record, text, digest: prev };
  }
}

function writeRecords(root: string, count: number, { body = bodyOf, bare = false }: ShelfOptions): string[] {
  const files: string[] = [];
  const lines: string[] = [];
  const records = new Records();
  for (const { record, text, digest } of recordsOf(count, body)) {
    records.add(record);
    lines.push(`${JSON.stringify(lineOf(record, { digest, records }))}\n`);
    if (bare && record.seq <= count - perTask) continue;
    const file = join(root, recordFile(record));
    if (files.length % perTask === 0) mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    files.push(file);
  }
  if (!bare) return files;
  // What the ledger lacks of a large store is not what is measured.
  writeFileSync(join(root, indexFile), lines.join(""));
  writeFileSync(join(root, toldFile), JSON.stringify({ seq: count }));
  return files;
}

/** Makes a store of so many records in tasks of fifty, as the program itself writes them. */
export function makeShelf(count: number, options: ShelfOptions = {}): Shelf {
  const temp = tempFolder("writ-shelf");
  const root = join(temp.path, "w");
  const home = join(temp.path, "home");
  mkdirSync(root);
  mkdirSync(home);
  const given = { "workspace.yml": "name: shelf\nschema: writ/1\n", ...options.files };
  for (const [name, text] of Object.entries(given)) writeFileSync(join(root, name), text);
  const files = writeRecords(root, count, options);
  const env = { HOME: home, PATH: process.env.PATH ?? "", ...options.env };
  const app = createApp({ env, platform: process.platform, home, login: "ana", clock: systemClock });
  return {
    root,
    files,
    async call(capability, input = {}) {
      const answer = await app.execute({
        capability,
        surface: "cli",
        input,
        where: { flag: root },
        base: root,
        credential: { terminal: true },
        signal: new AbortController().signal,
      });
      if (answer.error) throw new Error(`${answer.error.code}: ${answer.error.message}`);
      return answer.data;
    },
    [Symbol.dispose]() {
      void app.close();
      rmSync(temp.path, { recursive: true, force: true });
    },
  };
}
