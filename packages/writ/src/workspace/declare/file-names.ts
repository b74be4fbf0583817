export const manifestFile = "workspace.yml";
export const lockFile = "workspace.lock.yml";

/** What a stack says of itself. */
export const stackFile = "awac.yml";

/** Folders of a stack whose files are composed. */
export const assetFolders = ["rules", "skills", "workflows", "agents"] as const;

/** Files of a stack with a product that are copied as they are. */
export const metadataFiles: readonly string[] = ["README.md", stackFile, "deploy.yml", "devvault.yml"];
