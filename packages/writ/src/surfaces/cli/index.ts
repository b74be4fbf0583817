export { type CliDeps, runCli, type Terminal } from "./run-cli.ts";
