import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../../packages/writ/src/app/index.ts";
import { systemClock } from "../../packages/writ/src/platform/index.ts";
import type { ReasoningRecord } from "../../packages/writ/src/reasoning/model/record.ts";
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

function writeRecords(root: string, count: number): string[] {
  const ids: string[] = [];
  const files: string[] = [];
  let prev = "0".repeat(64);
  for (let i = 0; i < count; i++) {
    const task = `task-${Math.floor(i / 50)}`;
    if (i % 50 === 0) mkdirSync(join(root, ".writ/reasoning", task), { recursive: true });
    const body = bodyOf(i, ids);
    const id = `${body.kind}_01930000-0000-7000-8000-${String(i).padStart(12, "0")}`;
    ids.push(id);
    const record = {
      schema: "writ/reasoning-record",
      version: 1,
      id,
      seq: i + 1,
      prev,
      task,
      recorded_at: "2026-11-30T12:00:00.000Z",
      actor: "user:ana",
      act: "act_1",
      capability: "reasoning.record",
      redacted: [],
      input_sha256: "0".repeat(64),
      body,
    } as unknown as ReasoningRecord;
    const text = recordText(record);
    prev = digestOf(text);
    const file = join(root, ".writ/reasoning", task, `${String(i + 1).padStart(8, "0")}-${id}.json`);
    writeFileSync(file, text);
    files.push(file);
  }
  return files;
}

/** Makes a store of so many records in tasks of fifty, as the program itself writes them. */
export function makeShelf(count: number): Shelf {
  const temp = tempFolder("writ-shelf");
  const root = join(temp.path, "w");
  const home = join(temp.path, "home");
  mkdirSync(root);
  mkdirSync(home);
  writeFileSync(join(root, "workspace.yml"), "name: shelf\nschema: writ/1\n");
  const files = writeRecords(root, count);
  const env = { HOME: home, PATH: process.env.PATH ?? "" };
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
