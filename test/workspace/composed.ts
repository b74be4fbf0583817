import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Capability, inputOf } from "../../packages/writ/src/contract/index.ts";
import bootstrap from "../../packages/writ/src/workspace/capabilities/bootstrap.ts";
import { type FixtureF, makeFixtureF } from "../fixtures/fixture-f.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { commandsOf, type TestApp, testApp } from "../support/test-app.ts";

/** The workspace W of the fixture in the real program, with some capabilities besides bootstrap. */
export interface Composed extends TestApp {
  f: FixtureF;
}

export interface ComposedOptions {
  manifest?: string;
  env?: Record<string, string>;
  /** Called before the first bootstrap. */
  prepare?: (f: FixtureF, root: string) => void;
  /** False: the workspace is declared and nothing was composed. */
  compose?: boolean;
  now?: () => number;
  capabilities: readonly unknown[];
}

const manifestW = "name: demo\nschema: awac/2\nstacks: [core, acme]\n";

/** The declaration with input and output at hand, as rows are made from it. */
async function withShapes(capability: Capability): Promise<Capability> {
  const [input, output] = [await inputOf(capability), await capability.output()];
  return { ...capability, input, output: () => output };
}

/** Composes the workspace; everything is gone at the end of the block. */
export async function composedApp(options: ComposedOptions): Promise<Composed> {
  const temp = tempFolder("writ-fixture");
  const f = makeFixtureF(temp.path);
  const { manifest = manifestW, env = {} } = options;
  const given = [bootstrap, ...options.capabilities] as Capability[];
  const commands = commandsOf(await Promise.all(given.map(withShapes)));
  const app = testApp({ commands, manifest, env: { ...f.env, ...env }, now: options.now });
  options.prepare?.(f, app.root);
  writeFileSync(join(app.root, "workspace.yml"), manifest);
  if (options.compose !== false) {
    const answer = await app.call("workspace.bootstrap");
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  }
  return {
    ...app,
    f,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      temp[Symbol.dispose]();
    },
  };
}
