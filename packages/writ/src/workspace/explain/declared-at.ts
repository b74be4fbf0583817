import { overlayLabel } from "../gather/gather-overlay.ts";
import { manifestFile } from "../declare/file-names.ts";
import type { Manifest } from "../declare/model/manifest.ts";
import { labelsOf } from "../declare/sources.ts";

/** A place in a file of the workspace. */
export interface Place {
  file: string;
  line: number;
}

/** Where the manifest declares a stack, or the overlay; undefined when it no longer does. */
export function declaredStack(manifest: Manifest, label: string): Place | undefined {
  if (label === overlayLabel) return placeOf(manifest.privateOverlay?.declaredAt);
  const at = labelsOf(manifest.stacks.map(({ source }) => source)).indexOf(label);
  return placeOf(manifest.stacks[at]?.declaredAt);
}

/** A place as data shows it. */
export function placeOf(declared: { line: number } | undefined): Place | undefined {
  return declared && { file: manifestFile, line: declared.line };
}
