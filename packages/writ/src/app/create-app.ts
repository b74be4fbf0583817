import {
  admission,
  type Authenticate,
  type Capability,
  type Clock,
  createExecutor,
  type Commands,
  type Execute,
  type Host,
  type Ports,
  type Registered,
  type Registry,
} from "../contract/index.ts";
import { commands as table, loadCapability } from "../generated/commands.ts";
import { version } from "../generated/version.ts";
import {
  admit,
  allow,
  createLocator,
  locate,
  openInput,
  tokenRequired,
  writeTrace,
} from "../governance/index.ts";
import {
  cacheFolder,
  canonicalJson,
  createDeadline,
  createSettings,
  createTraces,
  type Environment,
  idsFrom,
  sha256Hex,
  stateFolder,
} from "../platform/index.ts";
import { createRegistered, createRegistry } from "./registered.ts";
import { createSessions } from "./sessions.ts";

/** The machine and the person, as the process found them. */
export interface Machine {
  env: Environment;
  platform: NodeJS.Platform;
  home: string;
  login: string;
  clock: Clock;
}

/** The whole program, put together: what every surface is handed. */
export interface App {
  version: string;
  commands: Commands;
  execute: Execute;
  authenticate: Authenticate;
  /** The registry with every schema; read when a surface needs it. */
  registry(): Promise<Registry>;
  manual(): Promise<Record<string, unknown>>;
  registered: Registered;
  /** Closes what a long-lived process holds open. */
  close(): Promise<void>;
}

/** What a program may be given in place of its usual parts. */
export interface Options {
  host?: Host;
  /** Other capabilities than Writ's own. */
  commands?: Commands;
  /** False in the process of a heavy call, which its parent traces. */
  traces?: false;
  /** The program that runs heavy calls in a process of its own; without it they run here. */
  heavyEntry?: URL;
}

/** Writ's own capabilities, as the generator found them. */
function ownCommands(): Commands {
  const byId = new Map(table.map((row) => [row.id, row]));
  // Import() finds a loaded module again, but slowly; a server asks for the same few all day.
  const loaded = new Map<string, Promise<Capability>>();
  const load = (id: string): Promise<Capability> => {
    const known = loaded.get(id) ?? loadCapability(id);
    loaded.set(id, known);
    return known;
  };
  return { rows: table, find: (id) => byId.get(id), load };
}

/** Puts the parts together. The one place that knows them all; everything heavy is loaded when it is first used. */
export function createApp(machine: Machine, options: Options = {}): App {
  const { host, commands = ownCommands(), heavyEntry } = options;
  const settings = createSettings(machine.env);
  const ids = idsFrom(machine.clock);
  const registered = createRegistered();
  const folders = { cache: cacheFolder(machine), state: stateFolder(machine) };
  const traces = options.traces === false ? undefined : createTraces(settings, version);
  const sessions = createSessions({ settings, ids, folders, clock: machine.clock });
  const admitting = { settings, login: machine.login, now: () => machine.clock.now() };
  const locateServed = createLocator(admitting.now);
  const ports: Ports = {
    commands,
    clock: machine.clock,
    ids,
    settings,
    folders,
    registered,
    ...(host && { host }),
    locate,
    admit: (call, within) => admit(call, within, admitting),
    allow,
    session: sessions.of,
    open: openInput,
    deadline: createDeadline,
    hash: (value) => sha256Hex(canonicalJson(value)),
    ...(traces && { span: traces.begin }),
    trace: (error, root) => writeTrace(error, { root, ids }),
    ...(heavyEntry && { offload: async (call) => (await import("./offload.ts")).offload(call, heavyEntry) }),
  };
  return {
    version,
    commands,
    execute: createExecutor(ports),
    authenticate: async (credential, where) => {
      if (credential.token === undefined && !credential.terminal) throw tokenRequired();
      const workspace = await locateServed(where, where.flag ?? where.cwd ?? machine.home);
      const caller = await admit(
        { credential, surface: "http" },
        workspace && sessions.of(workspace.root),
        admitting,
      );
      // A token says the same on every surface; who sits at the terminal does not: over MCP it is an agent.
      // And where no folder is named, the call's own base decides which workspace it means.
      if (credential.token === undefined || where.flag === undefined) return caller;
      return { ...caller, admission: admission({ credential, where, caller, workspace }) };
    },
    registry: createRegistry(commands),
    manual: registered.manual,
    registered,
    close: async () => {
      await sessions.close();
      await traces?.close();
    },
  };
}
