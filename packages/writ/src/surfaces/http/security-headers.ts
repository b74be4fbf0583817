const securityHeaders = {
  "Content-Security-Policy":
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

// Touching the headers of a response makes objects of them, which costs as much as the rest of an answer.
const mark: unique symbol = Symbol("secured");
type Marked = Response & { [mark]?: true };

/** Makes a response that has the security headers from the beginning. */
export function secured(
  body: string | Uint8Array<ArrayBuffer>,
  { status, headers }: { status: number; headers: Record<string, string> },
): Response {
  const response: Marked = new Response(body, { status, headers: { ...headers, ...securityHeaders } });
  response[mark] = true;
  return response;
}

/** Sees to it that a response has the security headers, however it was made. */
export function secure(response: Response): void {
  if ((response as Marked)[mark]) return;
  for (const [name, value] of Object.entries(securityHeaders)) response.headers.set(name, value);
}
