import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { createApp } from "../../packages/writ/src/app/index.ts";
import type { Call, Envelope } from "../../packages/writ/src/contract/index.ts";
import { type AdvisorProgram, advisorProgram, prints } from "../fakes/advisor-programs.ts";
import { ollamaServer, openaiChatServer, type Says } from "../fakes/advisor-servers.ts";
import type { FakeServer } from "../fakes/fake-server.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

/** The vocabulary as it ships, for a workspace that replaces the tables. */
const vocabulary = [
  "independent_reasoning",
  "architecture_review",
  "code_review",
  "security_review",
  "test_review",
  "repository_analysis",
];

/** An advisors.yml that leaves the shipped one out. */
export function advisorsYml(advisors: readonly object[], more: object = {}): string {
  return JSON.stringify({
    version: 1,
    replace: true,
    capabilities: vocabulary.map((id) => ({ id, description: id })),
    advisors,
    ...more,
  });
}

export const alphaEntry = {
  id: "alpha",
  title: "Alpha",
  transport: "cli",
  adapter: "stdio",
  vendor: "v1",
  executable: "alpha",
  capabilities: ["independent_reasoning", "code_review"],
};
export const betaEntry = {
  id: "beta",
  title: "Beta",
  transport: "api",
  adapter: "openai-chat",
  vendor: "v2",
  model: "b1",
  base_url_env: "BETA_URL",
  capabilities: ["independent_reasoning", "security_review"],
};
export const gammaEntry = {
  id: "gamma",
  title: "Gamma",
  transport: "local_runtime",
  adapter: "ollama-chat",
  vendor: "v3",
  executable: "gamma",
  base_url_env: "GAMMA_HOST",
  capabilities: ["independent_reasoning"],
};

const modelsYml = JSON.stringify({
  version: 1,
  vendors: [
    { id: "v1", title: "V1" },
    { id: "v2", title: "V2", credential_env: "BETA_KEY" },
    { id: "v3", title: "V3", inference: "local" },
  ],
  models: [{ id: "b1", vendor: "v2", native_id: "b-1", status: "available" }],
});

type Data = Record<string, unknown>;

/** A workspace with an empty private PATH and a clock that a test moves. */
export interface Bed extends AsyncDisposable {
  app: TestApp;
  root: string;
  bin: string;
  env: Record<string, string>;
  /** Seconds after T0. */
  clock: { seconds: number };
  call(capability: string, input?: Data, more?: Partial<Call>): Promise<Envelope>;
  /** The data of a call that must succeed. */
  ok<T = Data>(capability: string, input?: Data, more?: Partial<Call>): Promise<T>;
  /** The error code of a call that must be refused. */
  refused(capability: string, input?: Data, more?: Partial<Call>): Promise<string>;
  record(body: Data): Promise<string>;
  refusedRecord(body: Data): Promise<string>;
  assess(subject: string, materiality: string, more?: Data): Promise<string>;
  plan(assessment: string): Promise<string>;
  write(file: string, text: string): void;
}

const t0 = Date.parse("2026-11-30T12:00:00.000Z");

interface BedOptions {
  env?: Record<string, string>;
  manifest?: string;
  advisors?: readonly object[];
}

/** The error of an answer, and of a defect its trace. */
function told(root: string, { error }: Envelope): string {
  const trace = error?.details?.trace;
  return `${JSON.stringify(error)}${typeof trace === "string" ? readFileSync(join(root, trace), "utf8") : ""}`;
}

/** F-none: nobody is there. */
export function bedNone({ env = {}, manifest, advisors = [] }: BedOptions = {}): Bed {
  const bin = tempFolder("writ-bin");
  const clock = { seconds: 0 };
  const settings: Record<string, string> = { PATH: bin.path, ...env };
  const place = testApp({ ...(manifest !== undefined && { manifest }) });
  settings.HOME = place.home;
  const now = () => t0 + clock.seconds * 1000;
  // The environment itself and no copy of it, so that a test can change it between calls.
  const program = createApp({
    env: settings,
    platform: process.platform,
    home: place.home,
    login: "ana",
    clock: { now },
  });
  const app: TestApp = {
    ...place,
    app: program,
    call: (capability, input = {}, more = {}) =>
      program.execute({
        capability,
        surface: "cli",
        input,
        where: { flag: place.root },
        base: place.root,
        credential: { terminal: true },
        signal: new AbortController().signal,
        ...more,
      }),
    async [Symbol.asyncDispose]() {
      await program.close();
      await place[Symbol.asyncDispose]();
    },
  };
  const write = (file: string, text: string): void => {
    mkdirSync(join(app.root, file, ".."), { recursive: true });
    writeFileSync(join(app.root, file), text);
  };
  write("advisors.yml", advisorsYml(advisors));
  write("models.yml", modelsYml);
  write("seen.txt", "seen\n");
  const ok = async <T = Data>(capability: string, input: Data = {}, more: Partial<Call> = {}): Promise<T> => {
    const answer = await app.call(capability, input, more);
    expect(answer.error, told(app.root, answer)).toBeNull();
    return answer.data as T;
  };
  const refused = async (capability: string, input: Data = {}, more: Partial<Call> = {}): Promise<string> => {
    const { error } = await app.call(capability, input, more);
    return error?.code ?? "ok";
  };
  const record = async (body: Data): Promise<string> =>
    (await ok<{ record: { id: string } }>("reasoning.record", { record: body })).record.id;
  return {
    app,
    root: app.root,
    bin: bin.path,
    env: settings,
    clock,
    call: app.call,
    ok,
    refused,
    record,
    refusedRecord: (body) => refused("reasoning.record", { record: body }),
    assess: (subject, materiality, more = {}) =>
      record({
        kind: "assessment",
        subject,
        materiality,
        evidence: [{ kind: "file", reference: "seen.txt" }],
        ...more,
      }),
    plan: (assessment) => record({ kind: "plan", assessment }),
    write,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      bin[Symbol.dispose]();
    },
  };
}

/** An answer as an advisor words it. */
export const says = (stance: string, conclusion = `it ${stance}`): string =>
  JSON.stringify({ conclusion, stance, assumptions: [], risks: ["r"], actions: [], falsifiers: [] });

/** F-three: a program, a remote server and a local one, each of which does as it is told. */
export interface BedThree extends Bed {
  alpha: AdvisorProgram;
  beta: FakeServer & { says(next: Says): void };
  gamma: FakeServer & { says(next: Says): void };
}

export async function bedThree(options: BedOptions = {}): Promise<BedThree> {
  let betaSays: Says = { text: says("supports", "beta agrees"), usage: true };
  let gammaSays: Says = { text: says("supports", "gamma agrees") };
  const beta = await openaiChatServer(() => betaSays);
  const gamma = await ollamaServer(() => gammaSays);
  const bed = bedNone({
    advisors: [alphaEntry, betaEntry, gammaEntry],
    ...options,
    env: { BETA_KEY: "b-secret", BETA_URL: beta.url, GAMMA_HOST: gamma.url, ...options.env },
  });
  const alpha = advisorProgram(bed.bin, "alpha", prints(says("supports", "alpha agrees")));
  advisorProgram(bed.bin, "gamma");
  return {
    ...bed,
    alpha,
    beta: Object.assign(beta, { says: (next: Says) => void (betaSays = next) }),
    gamma: Object.assign(gamma, { says: (next: Says) => void (gammaSays = next) }),
    async [Symbol.asyncDispose]() {
      await beta[Symbol.asyncDispose]();
      await gamma[Symbol.asyncDispose]();
      await bed[Symbol.asyncDispose]();
    },
  };
}

/** A material conclusion with everything it needs, but what the case is about. */
export const concluding = (assessment: string, more: Data = {}): Data => ({
  kind: "conclusion",
  assessment,
  decision: "do it",
  rationale: "it works",
  evidence: [{ kind: "file", reference: "seen.txt" }],
  validation_plan: ["run the suite"],
  ...more,
});

/** A local review with everything it needs. */
export const localReview = (assessment: string, more: Data = {}): Data => ({
  kind: "local_review",
  assessment,
  alternative: "the other way",
  assumptions: [{ text: "it is small" }],
  falsifier: "it grows",
  experiment: "measured it",
  result: "it stayed small",
  ...more,
});
