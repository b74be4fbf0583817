import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import type { Envelope } from "../../packages/writ/src/contract/index.ts";
import { Database, type Row } from "../../packages/writ/src/research/library/database.ts";
import { placeOf } from "../../packages/writ/src/research/library/place.ts";
import { expectComplete, offersIn } from "./offers.ts";
import { type FakeOpenAlex, type OpenAlexBehaviour, startOpenAlex } from "../fakes/openalex/server.ts";
import type { FakeWork } from "../fakes/openalex/works.ts";
import { testApp, type TestApp } from "../support/test-app.ts";

/** A workspace, the real program, and a service that it asks. Gone at the end of the test. */
export interface Research {
  app: TestApp;
  root: string;
  fake: FakeOpenAlex;
  /** Calls a capability of research: "seed", "curate.accept". */
  call(verb: string, input?: Record<string, unknown>, signal?: AbortSignal): Promise<Envelope>;
  /** The data of a call that must succeed. */
  ok(verb: string, input?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The error of a call that must fail. */
  failure(
    verb: string,
    input?: Record<string, unknown>,
  ): Promise<NonNullable<Envelope["error"]> & { data: Row }>;
  /** Rows of the library. */
  rows<T = Row>(sql: string): Promise<T[]>;
  /** Every command line that an answer has offered so far. */
  offered: ReadonlySet<string>;
  /** How many requests the service got since this was asked last. */
  asked(): number;
  close(): Promise<void>;
}

export interface ResearchOptions {
  works: readonly FakeWork[];
  behaviour?: Partial<OpenAlexBehaviour>;
  env?: Record<string, string>;
  now?: () => number;
  /** A folder whose `.writ` is copied: a library that was made before. */
  from?: string;
  /** False outside a test: then the caller closes it. */
  closes?: boolean;
}

export async function openResearch(options: ResearchOptions): Promise<Research> {
  const fake = await startOpenAlex(options.works, options.behaviour);
  const app = testApp({
    env: { WRIT_OPENALEX_URL: fake.url, WRIT_RESEARCH_BACKOFF_MS: "0", ...options.env },
    ...(options.now && { now: options.now }),
  });
  const close = async () => {
    await fake.close();
    await app[Symbol.asyncDispose]();
  };
  if (options.closes !== false) onTestFinished(close);
  if (options.from !== undefined)
    cpSync(join(options.from, ".writ"), join(app.root, ".writ"), { recursive: true });
  let counted = 0;
  const offered = new Set<string>();
  const call: Research["call"] = async (verb, input = {}, signal) => {
    const answer = await app.call(`research.${verb}`, input, signal ? { signal } : {});
    await expectPublished(app, verb, answer);
    if (answer.error?.subcode !== undefined) expect(answer.error.code).toBe("NETWORK_ERROR");
    const lines = offersIn(answer.data);
    await expectComplete(app.app.commands, lines);
    for (const line of lines) offered.add(line);
    return answer;
  };
  return {
    app,
    root: app.root,
    fake,
    close,
    call,
    offered,
    ok: async (verb, input) => {
      const answer = await call(verb, input);
      expect(answer.error).toBeNull();
      return answer.data;
    },
    failure: async (verb, input) => {
      const answer = await call(verb, input);
      if (!answer.error) throw new Error(`${verb} succeeded`);
      return { ...answer.error, data: answer.data as Row };
    },
    rows: <T>(sql: string) => rowsOf<T>(app.root, sql),
    asked: () => {
      const since = fake.requests.length - counted;
      counted = fake.requests.length;
      return since;
    },
  };
}

/** Every answer, a failure's data too, holds what the capability publishes and nothing else. */
async function expectPublished({ app }: TestApp, verb: string, answer: Envelope): Promise<void> {
  const output = await (await app.commands.load(`research.${verb}`)).output();
  const { workspace: _, changed: __, dry_run, reason, next, fix_command, ...own } = answer.data;
  void [dry_run, reason, next, fix_command];
  const schema = answer.error ? output.partial().strict() : output.strict();
  expect(schema.safeParse(own).error?.issues ?? []).toEqual([]);
}

async function rowsOf<T>(root: string, sql: string): Promise<T[]> {
  const db = await Database.open({ file: placeOf(root).file, readOnly: true });
  try {
    return await db.rows<T>(sql);
  } finally {
    db.close();
  }
}

/** Makes one library before all tests of a file, seeded with a search, and gives each test a copy of it. */
export function seededOnce(
  works: readonly FakeWork[],
  equation: string,
): (options?: Partial<ResearchOptions>) => Promise<Research> {
  let made: TestApp | undefined;
  beforeAll(async () => {
    await using fake = await startOpenAlex(works);
    made = testApp({ env: { WRIT_OPENALEX_URL: fake.url, WRIT_RESEARCH_BACKOFF_MS: "0" } });
    const answer = await made.call("research.seed", { equation });
    expect(answer.error).toBeNull();
  });
  afterAll(() => made?.[Symbol.asyncDispose]());
  return (options) => openResearch({ works, ...options, ...(made && { from: made.root }) });
}
