/** The version of Node that runs this program, e.g. "24.1.0". */
export const nodeVersion: string = process.versions.node;
