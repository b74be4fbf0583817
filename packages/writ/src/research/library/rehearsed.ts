/** The text of an answer that a mutating verb gives; of a rehearsal, with the line that says it was one. */
export function rehearsed(data: object, text: string): string {
  return "dry_run" in data && data.dry_run === true ? `${text}\nA dry run: nothing was changed.` : text;
}
