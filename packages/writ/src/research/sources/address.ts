import { fail } from "../../contract/index.ts";
import type { PlannedRequest } from "./port.ts";

/** The address of a request as it may be shown and kept: without credential and without the reader's address. */
export function addressOf(base: string, { path, query }: Pick<PlannedRequest, "path" | "query">): string {
  const parameters = new URLSearchParams(Object.entries(query)).toString();
  return `${base}${path}${parameters === "" ? "" : `?${parameters}`}`;
}

/** A base address that stands in for a service's own; without a slash at the end, user or parameters. */
export function baseOf(given: string, variable: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "")
    return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
  throw fail("E_INVALID_VALUE", {
    message: `${variable} is no base address.`,
    cause: "It must begin with https:// or http://, and name no user.",
    remediation: `Give the service's own address, or unset it: unset ${variable}`,
    details: { allowed: ["https://…", "http://…"] },
  });
}

/** Whether an address is this machine. */
function isLoopback(url: URL): boolean {
  const host = url.hostname;
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Whether a secret may be sent there: to the service's own host, unread on the way, or to this machine. */
export function maySee(base: string, own: string): boolean {
  const url = new URL(base);
  const service = new URL(own);
  return isLoopback(url) || (url.host === service.host && url.protocol === "https:");
}
