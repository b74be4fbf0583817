import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { type App, createApp, type Options } from "../../packages/writ/src/app/index.ts";
import type { Call, Capability, Commands, Envelope } from "../../packages/writ/src/contract/index.ts";
import { systemClock } from "../../packages/writ/src/platform/index.ts";
import { describe as describeCapability } from "../../scripts/registry/describe.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";

/** The real program in a temporary workspace, with folders of its own. */
export interface TestApp extends AsyncDisposable {
  app: App;
  root: string;
  /** Where the installation's own state is. */
  home: string;
  /** Calls as the person at the terminal, or as `more` says. */
  call(capability: string, input?: Record<string, unknown>, more?: Partial<Call>): Promise<Envelope>;
}

export interface TestAppOptions extends Options {
  env?: Record<string, string>;
  /** workspace.yml; null for a folder that is no workspace. */
  manifest?: string | null;
  /** The name of the workspace's folder; without it the temporary one is the workspace. */
  folder?: string;
  now?: () => number;
}

/** Opens the real program on a temporary workspace; everything is gone at the end of the block. */
export function testApp({ env = {}, manifest, folder = "", now, ...options }: TestAppOptions = {}): TestApp {
  const temp = tempFolder("writ-app");
  const root = join(temp.path, folder);
  mkdirSync(root, { recursive: true });
  if (manifest !== null)
    writeFileSync(join(root, "workspace.yml"), manifest ?? "name: demo\nschema: writ/1\n");
  const home = tempFolder("writ-home");
  const machine = {
    env: { HOME: home.path, PATH: process.env.PATH, ...env },
    platform: process.platform,
    home: home.path,
    login: "ana",
    clock: now ? { now } : systemClock,
  };
  const app = createApp(machine, options);
  return {
    app,
    root,
    home: home.path,
    call: (capability, input = {}, more = {}) =>
      app.execute({
        capability,
        surface: "cli",
        input,
        where: { cwd: root },
        base: root,
        credential: { terminal: true },
        signal: new AbortController().signal,
        ...more,
      }),
    async [Symbol.asyncDispose]() {
      await app.close();
      temp[Symbol.dispose]();
      home[Symbol.dispose]();
    },
  };
}

/** Commands made from declarations, as the generator makes Writ's own. */
export function commandsOf(capabilities: readonly Capability[]): Commands {
  const rows = capabilities.map((one) => describeCapability(atHand(one)));
  return {
    rows,
    find: (id) => rows.find((row) => row.id === id),
    load: async (id) => {
      const found = capabilities.find((one) => one.id === id);
      if (!found) throw new Error(`no capability ${id}`);
      return found;
    },
  };
}

/** Outputs that are loaded for the generator only are no part of these tests. */
function atHand(capability: Capability): Capability {
  return capability.output() instanceof Promise
    ? { ...capability, output: () => z.looseObject({}) }
    : capability;
}
