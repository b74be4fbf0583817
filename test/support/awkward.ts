import { once } from "node:events";
import * as z from "zod";
import {
  type Capability,
  capability,
  fail,
  type Registry,
  type Surface,
} from "../../packages/writ/src/contract/index.ts";
import { describe } from "../../scripts/registry/describe.ts";

/** What the awkward capabilities let a test see and do while they run. */
export interface Stage {
  /** Names of the capabilities that have begun, in order. */
  begun: string[];
  /** Names of those whose signal fired. */
  cancelled: string[];
  /** Resolves when a capability of this name has begun or been cancelled, also when that was before. */
  when(what: "begun" | "cancelled", name: string, times?: number): Promise<void>;
  /** Lets everything that waits go on. */
  release(): void;
}

interface Inner extends Stage {
  note(what: "begun" | "cancelled", name: string): void;
  /** Waits for `release`, or for the signal. */
  hold(name: string, signal: AbortSignal): Promise<void>;
}

export function createStage(): Stage {
  return build();
}

function build(): Inner {
  const listeners = new Set<() => void>();
  const opened = new AbortController();
  const stage: Inner = {
    begun: [],
    cancelled: [],
    release: () => opened.abort(),
    note: (what, name) => {
      stage[what].push(name);
      for (const listen of listeners) listen();
    },
    when: (what, name, times = 1) =>
      new Promise((resolve) => {
        const look = () => {
          if (stage[what].filter((one) => one === name).length < times) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
    hold: async (name, signal) => {
      stage.note("begun", name);
      const either = AbortSignal.any([signal, opened.signal]);
      if (!either.aborted) await once(either, "abort");
      if (!signal.aborted) return;
      stage.note("cancelled", name);
      signal.throwIfAborted();
    },
  };
  return stage;
}

const examples = [
  { title: "One", input: {} },
  { title: "Another", input: {} },
] as const;
const reads = { effect: "observe", network: "never", workspace: "none" } as const;
const writes = { effect: "local", network: "never", workspace: "none" } as const;
const errors = [] as const;
const nothing = z.object({ note: z.string().optional().describe("Nothing much.") });

/** Capabilities that behave as badly as any may: slow, streaming, throwing, refused, failing with data. */
export function awkward(given: Stage): Registry {
  const stage = given as Inner;
  const all = [...plain(), ...bad(), ...slow(stage), many(), onlyOn("here.only", ["cli"])] as Capability[];
  const rows = all.map(describe);
  return {
    rows,
    find: (id) => rows.find((row) => row.id === id),
    load: async (id) => {
      const found = all.find((one) => one.id === id);
      if (!found) throw new Error(`no capability ${id}`);
      return found;
    },
  };
}

const Tree = z.object({
  name: z.string().describe("A name."),
  get children() {
    return z.array(Tree).describe("What is below it.");
  },
});

function plain() {
  const echoed = z.object({
    text: z.string().optional().describe("The text."),
    times: z.int().optional().describe("The number."),
    ratio: z.number().optional().describe("The ratio."),
    loud: z.boolean().optional().describe("The switch."),
    tags: z.array(z.string()).optional().describe("The tags."),
    shape: z.record(z.string(), z.unknown()).optional().describe("The structure."),
    mood: z.enum(["calm", "angry"]).optional().describe("The mood."),
  });
  const echo = capability({
    id: "echo.say",
    summary: "Say the input again.",
    description: "It changes nothing.",
    input: echoed.extend({ times: z.int().min(1).max(9).optional().describe("The number.") }),
    output: () => echoed,
    need: reads,
    errors: ["E_INVALID_VALUE"],
    examples: [
      { title: "A word", input: { text: "hello" } },
      { title: "A list", input: { tags: ["a", "b"] } },
    ],
    run: async (_ctx, input) => input,
  });
  const tree = capability({
    id: "tree.show",
    summary: "Show a tree, whose schema refers to itself.",
    input: z.object({ tree: Tree.optional().describe("A tree.") }),
    output: () => z.object({ tree: Tree.describe("The tree.") }),
    need: reads,
    errors,
    examples,
    run: async (_ctx, input) => ({ tree: input.tree ?? { name: "root", children: [] } }),
  });
  const keep = capability({
    id: "thing.keep",
    path: "keep",
    summary: "Keep a thing; its key is shown once.",
    input: z.object({ name: z.string().describe("The thing's name.").meta({ positional: 0 }) }),
    output: () =>
      z.object({
        name: z.string().describe("The thing's name."),
        key: z.string().describe("Its key.").meta({ secret: true }),
      }),
    need: writes,
    commits: "sql",
    errors: ["E_EXISTS"],
    examples: [
      { title: "A thing", input: { name: "cup" } },
      { title: "Another", input: { name: "jar" } },
    ],
    run: async (ctx, { name }) => ({ name, key: ctx.ids.secret(4), changed: !ctx.dryRun }),
  });
  return [echo, tree, keep];
}

function bad() {
  const failing = capability({
    id: "bad.check",
    summary: "Fail, with all that was found.",
    input: z.object({ code: z.string().default("E_DRIFT").describe("Which error.") }),
    output: () => z.object({ found: z.array(z.string()).describe("What was found.") }),
    need: reads,
    errors: ["E_DRIFT", "E_NOT_FOUND", "NETWORK_ERROR", "E_TOOL_MISSING"],
    examples,
    run: async (_ctx, { code }) => {
      const more: Record<string, object> = {
        RATE_LIMITED: { subcode: "RATE_LIMITED", retryAfterSeconds: 30 },
        UPSTREAM_TIMEOUT: { subcode: "UPSTREAM_TIMEOUT", retryable: false },
      };
      const subcode = more[code];
      throw fail((subcode ? "NETWORK_ERROR" : code) as "E_DRIFT", {
        message: "It failed.",
        cause: "It was asked to.",
        remediation: "writ doctor",
        data: { found: ["a.md"] },
        ...subcode,
      });
    },
  });
  const throwing = capability({
    id: "bad.throw",
    summary: "Throw what no one foresaw.",
    input: nothing,
    output: () => nothing,
    need: reads,
    errors,
    examples,
    run: () => Promise.reject(new TypeError("secret detail at /home/someone")),
  });
  const denied = capability({
    id: "bad.deny",
    summary: "Do what only an owner may.",
    input: nothing,
    output: () => nothing,
    need: writes,
    may: "owner",
    errors: ["E_ROLE_REQUIRED"],
    examples,
    run: async () => ({ changed: true }),
  });
  return [failing, throwing, denied];
}

function slow(stage: Inner) {
  const wait = capability({
    id: "slow.wait",
    summary: "Wait until it is let go, or cancelled.",
    input: z.object({ steps: z.int().default(0).describe("Progress events before waiting.") }),
    output: () => z.object({ done: z.boolean().describe("True.") }),
    need: reads,
    errors,
    examples,
    run: async (ctx, { steps }) => {
      for (let i = 1; i <= steps; i++) ctx.emit({ phase: "walk", done: i, total: steps });
      await stage.hold("slow.wait", ctx.signal);
      return { done: true };
    },
  });
  const write = capability({
    id: "slow.write",
    summary: "Change something, slowly.",
    input: nothing,
    output: () => nothing,
    need: writes,
    errors,
    examples,
    run: async (ctx) => {
      await stage.hold("slow.write", ctx.signal);
      return { changed: true };
    },
  });
  const pour = capability({
    id: "slow.pour",
    summary: "Pour declared events, each of a given size.",
    input: z.object({
      count: z.int().default(3).describe("How many."),
      bytes: z.int().default(10).describe("How large each is."),
    }),
    output: () => z.object({ poured: z.int().describe("How many were poured.") }),
    events: () => z.object({ event: z.literal("drop"), n: z.int(), fill: z.string() }),
    need: reads,
    errors,
    examples,
    run: async (ctx, { count, bytes }) => {
      stage.note("begun", "slow.pour");
      for (let n = 1; n <= count; n++) {
        if (ctx.signal.aborted) {
          stage.note("cancelled", "slow.pour");
          ctx.signal.throwIfAborted();
        }
        ctx.emit({ event: "drop", n, fill: "x".repeat(bytes) });
        // The turn of everyone else: a reader that reads gets each event.
        if (n % 4 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      return { poured: count };
    },
  });
  return [wait, write, pour];
}

/** One of the many that a real registry has. */
function many(): Capability {
  return onlyOn("group.many-words", ["cli", "http", "mcp", "agent"]);
}

function onlyOn(id: string, on: Surface[]): Capability {
  return capability({
    id,
    summary: `Stand on ${on.join(", ")}.`,
    input: nothing,
    output: () => nothing,
    need: reads,
    on,
    errors,
    examples,
    run: async () => ({}),
  }) as unknown as Capability;
}
