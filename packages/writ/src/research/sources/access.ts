import { type Context, fail } from "../../contract/index.ts";
import { openKeys } from "../../platform/index.ts";
import { baseOf, maySee } from "./address.ts";
import type { Source } from "./port.ts";

/** All that is needed to reach a source, and what of it must never be seen. */
export interface Access {
  source: Source;
  /** Without a slash at the end. */
  base: string;
  headers: Readonly<Record<string, string>>;
  /** Parameters that tell who asks; never kept or shown. */
  contact: Readonly<Record<string, string>>;
  keyUsed: boolean;
  /** Texts that must occur in no output. */
  secrets: readonly string[];
  /** Before the second attempt; twice as long before the third. */
  backoffMs: number;
  /** Without a byte for so long, an answer is late. */
  idleMs: number;
  /** The longest wait that a source may ask for. */
  maxWaitMs: number;
}

interface AccessOptions {
  email?: string | undefined;
  /** Seconds. */
  maxWait: number;
}

/** Finds address, credential and limits for a source. A credential is read only if it may be sent there. */
export async function openAccess(
  ctx: Pick<Context, "settings" | "folders" | "warn">,
  source: Source,
  { email = ctx.settings.env("WRIT_OPENALEX_EMAIL"), maxWait }: AccessOptions,
): Promise<Access> {
  const { base, credential, contact } = source;
  const given = ctx.settings.env(base.env);
  const url = given === undefined ? base.url : baseOf(given, base.env);
  const known = await openKeys({
    env: { [credential.name]: ctx.settings.env(credential.name) },
    stateFolder: ctx.folders.state,
  }).get(credential.name);
  const allowed = maySee(url, base.url);
  if (known && !allowed) withheld(ctx, source);
  const secret = allowed ? known?.value.trim() : undefined;
  const address = allowed ? email?.trim() : undefined;
  const agent = contact?.agent && address ? `writ (mailto:${address})` : "writ";
  return {
    source,
    base: url,
    headers: {
      accept: "application/json",
      "user-agent": agent,
      ...(secret && Object.fromEntries([credential.header(secret)])),
    },
    contact: contact?.query && address ? { [contact.query]: address } : {},
    keyUsed: Boolean(secret),
    secrets: [known?.value.trim(), email?.trim()].filter(
      (one): one is string => one !== undefined && one !== "",
    ),
    backoffMs: milliseconds("WRIT_RESEARCH_BACKOFF_MS", ctx.settings.env("WRIT_RESEARCH_BACKOFF_MS")) ?? 1000,
    idleMs: milliseconds("WRIT_RESEARCH_TIMEOUT_MS", ctx.settings.env("WRIT_RESEARCH_TIMEOUT_MS")) ?? 30_000,
    maxWaitMs: maxWait * 1000,
  };
}

function withheld(ctx: Pick<Context, "warn">, { name, base, credential }: Source): void {
  ctx.warn({
    code: "W_CREDENTIAL_WITHHELD",
    message: `${base.env} is neither ${name}'s own address nor this machine, so ${credential.name} was not sent.`,
    remediation: `Unset ${base.env} to ask ${name} itself.`,
  });
}

function milliseconds(name: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (Number.isInteger(value) && value >= 0 && value <= 3_600_000) return value;
  throw fail("E_INVALID_VALUE", {
    message: `${name} is a number of milliseconds.`,
    cause: `It is ${JSON.stringify(given.slice(0, 40))}.`,
    remediation: `Unset it: unset ${name}`,
    details: { allowed: "0 to 3600000" },
  });
}
