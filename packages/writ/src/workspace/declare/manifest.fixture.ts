import { manifestFile } from "./file-names.ts";
import { manifestIn, type ManifestReading, type ManifestSettings } from "./manifest.ts";
import { problemsError, readFile } from "./problems.ts";

/** Reads a workspace.yml whose blocks of other parts have no owners. */
export function readManifest(text: Uint8Array | string, settings: ManifestSettings): ManifestReading {
  return manifestIn(readFile(text, manifestFile), settings);
}

/** The same, throwing the one error of all its problems. */
export function parseManifest(text: Uint8Array | string, settings: ManifestSettings) {
  const { manifest, warnings, problems } = readManifest(text, settings);
  if (!manifest) throw problemsError(problems, "E_INVALID_MANIFEST");
  return { manifest, warnings };
}
