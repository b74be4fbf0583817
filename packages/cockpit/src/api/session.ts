/** What the server offers: each path with its operations, as its OpenAPI document has it. */
export type Operations = Readonly<
  Record<string, { get?: unknown; post?: { summary: string; "x-writ"?: { effect: string } } }>
>;

export interface Session {
  role: string;
  operations: Operations;
  /** Whether it was opened in this browser, and can be ended here. */
  ends: boolean;
}

// A foreign page cannot read it, so whoever repeats it is this page.
let csrf: string | undefined;

/** The session of this browser; undefined where nobody is logged in. */
export async function openSession(): Promise<Session | undefined> {
  const { ok, data } = (await (await fetch("/session")).json()) as {
    ok: boolean;
    data: { role: string; csrf?: string };
  };
  if (!ok) return undefined;
  csrf = data.csrf;
  const { paths } = (await (await fetch("/v1/openapi.json")).json()) as { paths: Operations };
  return { role: data.role, operations: paths, ends: csrf !== undefined };
}

/** Ends the session for every page of it. */
export async function endSession(): Promise<void> {
  await fetch("/session", { method: "DELETE", headers: { "X-Writ-CSRF": csrf ?? "" } });
}
