import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Context, type Fact, fail } from "../../contract/index.ts";
import {
  formatInstant,
  lstatOrNull,
  makeFolder,
  quote,
  readOrNull,
  removeEmptyParents,
  requireNoLinks,
  sha256Hex,
  storing,
  withLock,
  writeAtomic,
} from "../../platform/index.ts";
import { requireWorkspace } from "../serving.ts";
import { entryName, findMcpClient, type McpClient } from "./clients.ts";
import { type Made, standingIn, withEntry, withoutEntry } from "./edit.ts";
import { readInstalled, recordFile, writeInstalled } from "./record.ts";

const lockFile = ".writ/mcp-clients.lock";

// Many times what a person writes there; more is refused before it is parsed.
const maxBytes = 1024 * 1024;
const waitMs = 10_000;

/** What installing or uninstalling answers. */
export interface ConfigChange {
  client: string;
  /** The file, relative to the root. */
  file: string;
  /** Where in the file the entry stands. */
  place: string;
  entry: Record<string, unknown>;
  action: "created" | "added" | "removed" | "deleted" | "none";
  changed: boolean;
  reason?: string;
  next?: string[];
}

interface Change {
  client: McpClient;
  file: string;
  action: ConfigChange["action"];
  /** The text after it; null: no file. */
  text: string | null;
  made?: Made;
}

/** Puts Writ's entry into a client's configuration and leaves the rest of it as it is. */
export async function installClient(ctx: Context, id: string): Promise<ConfigChange> {
  const client = findMcpClient(id);
  return change(ctx, client, async (root) => {
    const { file, text } = await readConfig(root, client);
    const standing = text === null ? "absent" : standingIn(client, file, text);
    if (standing === "ours") return { client, file, action: "none", text };
    if (standing === "other") throw anotherEntry(client, file);
    const written = withEntry(client, file, text);
    return { client, file, action: text === null ? "created" : "added", ...written };
  });
}

/** Takes exactly that entry out again, and the file where Writ made it and nothing else is in it. */
export async function uninstallClient(ctx: Context, id: string): Promise<ConfigChange> {
  const client = findMcpClient(id);
  return change(ctx, client, async (root) => {
    const { file, text } = await readConfig(root, client);
    const standing = text === null ? "absent" : standingIn(client, file, text);
    if (text === null || standing === "absent") return { client, file, action: "none", text };
    if (standing === "other") throw anotherEntry(client, file);
    const made = (await readInstalled(root)).clients[client.id];
    const rest = withoutEntry(client, text, { file, made: made?.file === file ? made : undefined });
    return { client, file, action: rest === null ? "deleted" : "removed", text: rest };
  });
}

async function change(
  ctx: Context,
  client: McpClient,
  plan: (root: string) => Promise<Change>,
): Promise<ConfigChange> {
  const root = requireWorkspace(ctx);
  for (const path of [recordFile, lockFile]) await requireNoLinks(root, path);
  if (ctx.dryRun) return answer(await plan(root));
  await storing(recordFile, () => makeFolder(join(root, ".writ")));
  const lock = {
    waitMs,
    what: "the configuration of clients",
    folder: ".writ",
    command: "writ mcp install",
    signal: ctx.signal,
  };
  return withLock(join(root, lockFile), lock, async () => {
    await ctx.settle();
    const planned = await plan(root);
    if (planned.action === "none") return answer(planned);
    const fact: Fact = {
      subjects: [`file:${planned.file}`],
      detail: { client: client.id, action: planned.action },
    };
    return ctx.commit(fact, async () => {
      await carryOut(ctx, root, { planned, fact });
      return { ...answer(planned) };
    });
  });
}

/** The record first, with the event that is owed once the file is as planned; then the file. */
async function carryOut(
  ctx: Context,
  root: string,
  { planned, fact }: { planned: Change; fact: Fact },
): Promise<void> {
  const { client, file, text, made } = planned;
  const { actor, acts_for } = ctx.caller;
  const isInstall = made !== undefined;
  const event = {
    act: ctx.act,
    capability: isInstall ? "mcp.install" : "mcp.uninstall",
    actor,
    ...(acts_for !== undefined && { acts_for }),
    at: formatInstant(ctx.clock.now()),
    fact,
  };
  const { clients } = await readInstalled(root);
  const { [client.id]: _before, ...others } = clients;
  await writeInstalled(root, {
    schema: "1",
    clients: made ? { ...others, [client.id]: made } : others,
    owed: { event, file, to: text === null ? null : sha256Hex(text) },
  });
  await requireNoLinks(root, file);
  await storing(file, async () => {
    if (text === null) {
      await rm(join(root, file));
      return removeEmptyParents(join(root, file), root);
    }
    await makeFolder(dirname(join(root, file)));
    await writeAtomic(join(root, file), text);
  });
}

async function readConfig(root: string, client: McpClient): Promise<{ file: string; text: string | null }> {
  let file: string = client.files[0];
  for (const candidate of client.files.toReversed())
    if (await lstatOrNull(join(root, candidate))) file = candidate;
  await requireNoLinks(root, file);
  const bytes = await storing(file, () => readOrNull(join(root, file), { maxBytes, label: file }));
  if (!bytes) return { file, text: null };
  try {
    return { file, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    throw fail("DATA_ERROR", {
      message: `${file} of ${client.name} cannot be edited; nothing was changed.`,
      cause: "It is not UTF-8.",
      remediation: `Save ${file} as UTF-8, then run the command again.`,
      details: { file },
    });
  }
}

function answer({ client, file, action }: Change): ConfigChange {
  const installs = action === "created" || action === "added";
  return {
    client: client.id,
    file,
    place: `${client.container}.${entryName}`,
    entry: { ...client.entry },
    action,
    changed: action !== "none",
    ...(action === "none" && { reason: "The configuration is already as asked." }),
    ...(installs && { next: [`writ mcp uninstall --client ${client.id}`] }),
  };
}

function anotherEntry(client: McpClient, file: string) {
  return fail("E_EXISTS", {
    message: `${file} of ${client.name} has an entry "${entryName}" that Writ did not write.`,
    cause: `${client.container}.${entryName} differs from Writ's own: ${JSON.stringify(client.entry)}.`,
    remediation: `Remove or rename that entry in ${quote(file)}, then run the command again.`,
    details: { client: client.id, file, place: `${client.container}.${entryName}`, entry: client.entry },
  });
}
