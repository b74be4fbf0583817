/** A field's name as a person writes it. */
export function words(name: string): string {
  const text = name.replaceAll("_", " ").replace(" count", "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A word of the API as a person says it. */
export function spoken(word: string): string {
  return word.replaceAll("_", " ");
}

/** The first of a list, and how many more there are. */
export function listed(all: readonly string[], most: number): string {
  return all.slice(0, most).join(", ") + (all.length > most ? ` and ${all.length - most} more` : "");
}

/** A number and its noun. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
