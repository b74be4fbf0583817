import type { Answered, Style } from "../../contract/index.ts";
import { counted } from "../../platform/index.ts";
import { inWords } from "../networks/numbers.ts";
import type { BuildData } from "./output.ts";

/** A line for each network, then what was not built and why. */
export function renderBuild(data: BuildData & Answered, style: Style): string {
  const width = Math.max(
    0,
    ...[...data.networks, ...data.empty_networks, ...data.skipped_networks].map(({ name }) => name.length),
  );
  const built = data.networks.map(
    ({ name, nodes, edges }) => `  ${name.padEnd(width)}  ${inWords(nodes)} nodes, ${inWords(edges)} edges`,
  );
  const absent = [...data.empty_networks, ...data.skipped_networks].map(
    ({ name, reason, fix_command: fix }) =>
      `  ${style.dim(name.padEnd(width))}  ${reason}${fix === undefined ? "" : `\n  ${"".padEnd(width)}  ${style.dim(fix)}`}`,
  );
  const head = style.bold(`${counted(data.networks_built, "network")} built in ${data.artifacts_dir}`);
  return [
    head,
    ...built,
    ...(absent.length > 0 ? ["", "Not built:", ...absent] : []),
    ...(data.networks.length === 0 && data.reason !== undefined ? ["", data.reason] : []),
  ].join("\n");
}
