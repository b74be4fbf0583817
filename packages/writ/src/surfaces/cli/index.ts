export { type CliDeps, runCli, type Terminal } from "./run-cli.ts";
export { commandLine } from "./help.ts";
