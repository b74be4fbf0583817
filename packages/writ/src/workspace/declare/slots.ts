import { type SlotName, slotNames, type Slots } from "../../contract/index.ts";
import { WorkspaceSchema } from "./model/workspace-schema.ts";

/** The schema of workspace.yml with these blocks as their owners describe them; a block without an owner holds anything. */
export async function filledSchema(
  slots: Slots,
  names: readonly SlotName[] = slotNames,
): Promise<typeof WorkspaceSchema> {
  const shapes = names.map(async (name) => {
    const schema = await slots[name]?.();
    return schema ? [[name, schema.describe(descriptionOf(name, schema.description)).optional()]] : [];
  });
  const filled = (await Promise.all(shapes)).flat();
  if (filled.length === 0) return WorkspaceSchema;
  const whole = WorkspaceSchema.extend(Object.fromEntries(filled)).meta(WorkspaceSchema.meta() ?? {});
  // What an owner makes of its block is the owner's to know; here the blocks pass through as they are.
  return whole as unknown as typeof WorkspaceSchema;
}

function descriptionOf(name: SlotName, own: string | undefined): string {
  return `${own ?? `Settings of ${name}.`} Since writ/1.`;
}
