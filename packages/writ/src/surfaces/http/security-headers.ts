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

/** How a response begins that has the security headers from the beginning; it may begin many. */
interface Secured {
  status: number;
  headers: Record<string, string>;
}

/** Adds the security headers to what a response begins with. */
export function withSecurity(status: number, headers: Record<string, string>): Secured {
  return { status, headers: { ...headers, ...securityHeaders } };
}

/** Makes a response that needs no security headers any more. */
export function secured(body: string | Uint8Array<ArrayBuffer>, begins: Secured): Response {
  const response: Marked = new Response(body, begins);
  response[mark] = true;
  return response;
}

/** Sees to it that a response has the security headers, however it was made. */
export function secure(response: Response): void {
  if ((response as Marked)[mark]) return;
  for (const [name, value] of Object.entries(securityHeaders)) response.headers.set(name, value);
}
