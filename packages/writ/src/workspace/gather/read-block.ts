import type { ReadBlock } from "../../contract/index.ts";
import { storingUnder } from "../../platform/index.ts";
import { openSources } from "../sources/open-sources.ts";
import { readDeclaration } from "./inputs.ts";
import { inputSettings } from "./read-declared.ts";

/** Reads a block of workspace.yml for the part that owns it; see the contract's ReadBlock. */
export const readBlock: ReadBlock = async (ctx, name, schema) => {
  const root = ctx.workspace?.root;
  if (root === undefined) return undefined;
  const { settings, folders, registered } = ctx;
  const sources = openSources({ settings, command: "writ", folder: folders.cache });
  const { declared } = await storingUnder(root, () =>
    readDeclaration(root, inputSettings(sources, registered)),
  );
  const block = declared.manifest.blocks[name];
  if (block === undefined) return undefined;
  const read = schema.safeParse(block);
  if (read.success) return read.data;
  // The file was held against the slot's schema, unless an older reading of it was kept: then this tells its faults.
  await declared.whole();
  throw new TypeError(`the block ${name} is read with another schema than its slot has`, {
    cause: read.error,
  });
};
