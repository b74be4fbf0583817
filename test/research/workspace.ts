import { expect, onTestFinished } from "vitest";
import type { Envelope } from "../../packages/writ/src/contract/index.ts";
import { Database, type Row } from "../../packages/writ/src/research/library/database.ts";
import { placeOf } from "../../packages/writ/src/research/library/place.ts";
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
  failure(verb: string, input?: Record<string, unknown>): Promise<NonNullable<Envelope["error"]> & { data: Row }>;
  /** Rows of the library. */
  rows<T = Row>(sql: string): Promise<T[]>;
  /** How many requests the service got since this was asked last. */
  asked(): number;
}

export interface ResearchOptions {
  works: readonly FakeWork[];
  behaviour?: Partial<OpenAlexBehaviour>;
  env?: Record<string, string>;
  now?: () => number;
}

export async function openResearch(options: ResearchOptions): Promise<Research> {
  const fake = await startOpenAlex(options.works, options.behaviour);
  const app = testApp({
    env: { WRIT_OPENALEX_URL: fake.url, WRIT_RESEARCH_BACKOFF_MS: "0", ...options.env },
    ...(options.now && { now: options.now }),
  });
  onTestFinished(async () => {
    await fake.close();
    await app[Symbol.asyncDispose]();
  });
  let counted = 0;
  const call: Research["call"] = (verb, input = {}, signal) =>
    app.call(`research.${verb}`, input, signal ? { signal } : {});
  return {
    app,
    root: app.root,
    fake,
    call,
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

async function rowsOf<T>(root: string, sql: string): Promise<T[]> {
  const db = await Database.open({ file: placeOf(root).file, readOnly: true });
  try {
    return await db.rows<T>(sql);
  } finally {
    db.close();
  }
}
