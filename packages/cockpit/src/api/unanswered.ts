/** What to tell when a call brought no answer at all. */
export function unanswered(error: unknown): string {
  return `The server did not answer: ${error instanceof Error ? error.message : String(error)}`;
}
