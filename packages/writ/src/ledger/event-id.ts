/**
 * The id of the event of an act, made from the act's own id: whoever appends it later, after a crash, comes
 * to the same id, and appending an id again changes nothing.
 */
export function eventIdOf(act: string): string {
  return `led_${act.slice(act.indexOf("_") + 1)}`;
}
