import type { Category, ErrorObject } from "../../contract/index.ts";

const statusOfCategory: Record<Category, number> = {
  usage: 400,
  auth: 401,
  policy: 403,
  conflict: 409,
  data: 422,
  dependency: 424,
  internal: 500,
  network: 502,
  store: 503,
};

/** The HTTP status of an envelope, from its error alone. */
export function statusOf(error: ErrorObject | null): number {
  if (error === null) return 200;
  if (error.code === "E_NOT_FOUND") return 404;
  if (error.subcode === "RATE_LIMITED") return 429;
  if (error.subcode === "UPSTREAM_TIMEOUT") return 504;
  return statusOfCategory[error.category];
}
