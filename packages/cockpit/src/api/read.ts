import type { Reads } from "../generated/api.ts";

export type Path = keyof Reads;
export type Query<P extends Path> = Reads[P]["query"];
export type Data<P extends Path> = Reads[P]["data"];

export interface Failure {
  code: string;
  message: string;
  cause: string;
  remediation: string;
}

/** An envelope. A failure may have brought some of its data with it. */
export type Answer<P extends Path> =
  | { ok: true; data: Data<P>; error: null }
  | { ok: false; data: Partial<Data<P>>; error: Failure };

/** Asks the server for one reading. Rejects only where no envelope comes back. */
export async function read<P extends Path>(path: P, query: Query<P> = {}): Promise<Answer<P>> {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) for (const one of [value].flat()) asked.append(name, String(one));
  }
  const response = await fetch(asked.size > 0 ? `${path}?${asked}` : path);
  return response.json() as Promise<Answer<P>>;
}
