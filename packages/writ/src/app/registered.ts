import type { Commands, Part, Registered, Registry, Row } from "../contract/index.ts";
import { version } from "../generated/version.ts";
import { parts as ownParts } from "./parts.ts";
import { slotsOf } from "./slots.ts";

/** Collects what the parts registered; each part is asked when its contribution is needed. */
export function createRegistered(parts: readonly Part[] = ownParts): Registered {
  const each = <T>(ask: (part: Part) => Promise<T> | undefined) => askEach(parts, ask);
  return {
    version,
    fileStores: async () => (await each((part) => part.fileStores?.())).flat(),
    references: async () => (await each((part) => part.references?.())).flat(),
    checks: () => each((part) => part.checks?.()),
    statusBlocks: () => each((part) => part.status?.()),
    beginnings: (template) =>
      each(async (part) => {
        const begin = part.beginnings?.[template];
        return begin && { ...(await begin()), part: part.name };
      }).then((made) => made.filter((one) => one !== undefined)),
    topics: async () => (await each((part) => part.topics?.())).flat(),
    resources: parts.flatMap((part) => part.resources ?? []),
    slots: slotsOf(parts),
    block: async (ctx, name, schema) => {
      const [read] = await each((part) => part.blocks?.());
      return read?.(ctx, name, schema);
    },
    schemas: once(async () => (await import("../generated/documents.ts")).documents),
    manual: once(async () => (await import("../generated/manual.ts")).manual),
  };
}

/** What does not change while the program runs is looked for once: import() finds a loaded module again, but slowly. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => (answer ??= ask());
}

async function askEach<T>(parts: readonly Part[], ask: (part: Part) => Promise<T> | undefined): Promise<T[]> {
  const answers = await Promise.all(parts.map((part) => ask(part)));
  return answers.filter((answer) => answer !== undefined);
}

/** The registry with every schema, read from the generated data once. */
export function createRegistry(commands: Commands): () => Promise<Registry> {
  return once(() => read(commands));
}

async function read(commands: Commands): Promise<Registry> {
  const { schemas } = await import("../generated/schemas.ts");
  const rows: Row[] = commands.rows.map((row) => {
    const both = schemas[row.id];
    if (!both) throw new Error(`${row.id} has no schema: run npm run generate`);
    return { ...row, ...both };
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { rows, find: (id) => byId.get(id), load: commands.load };
}
