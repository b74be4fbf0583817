import type { Part, Slots } from "../contract/index.ts";

/** The owned blocks of workspace.yml. A block has one owner, or its meaning would depend on the order of the parts. */
export function slotsOf(parts: readonly Part[]): Slots {
  const slots: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [name, load] of Object.entries(part.slots ?? {})) {
      if (Object.hasOwn(slots, name)) throw new Error(`${part.name} is not the only owner of ${name}`);
      slots[name] = load;
    }
  }
  return slots;
}
