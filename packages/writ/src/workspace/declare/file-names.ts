export const manifestFile = "workspace.yml";
export const lockFile = "workspace.lock.yml";
