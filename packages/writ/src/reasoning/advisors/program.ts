import type { AdapterIo, Exchange, ExchangeInput } from "./adapter.ts";

/** The end of a program that stands in the way of knowing what else goes out. */
const addsItsOwn =
  "The program adds its own instructions and its user's settings, which cannot be listed here.";
const mayRead = "The program may read any file of the workspace.";

/** An exchange with a program; the brief is what it reads on standard input. */
export function describeProgram({ advisor, prompt }: ExchangeInput, argv: string[]): Exchange {
  const workspace = advisor.access === "workspace";
  return {
    target: advisor.executable ?? "",
    headers: {},
    argv,
    env_names: [...advisor.env],
    cwd: workspace ? "workspace" : "fresh",
    ...(advisor.root !== undefined && { root: advisor.root }),
    body: prompt,
    complete: false,
    notes: [addsItsOwn, ...(workspace ? [mayRead] : [])],
    optional: [],
    localOnly: advisor.localOnly,
  };
}

/** Where a placeholder stands for the folder that is made for the exchange. */
export const freshFolder = "<fresh folder>";

/** Runs the program as it was described. */
export function runProgram(exchange: Exchange, io: AdapterIo) {
  const argv = (exchange.argv ?? []).map((word) => word.replace(freshFolder, () => io.tmp));
  return io.spawn({
    argv,
    env_names: exchange.env_names,
    cwd: exchange.cwd === "workspace" ? (exchange.root ?? io.tmp) : io.tmp,
    stdin: exchange.body,
    signal: io.signal,
  });
}
