import type { Style } from "../../contract/index.ts";
import type { StatusData } from "./output.ts";

/** Where the library stands, for a person. */
export function renderStatus(data: StatusData, style: Style): string {
  const { counts_by_status: by } = data;
  const label = (text: string) => style.bold(text.padEnd(12));
  const lines = [
    `${label("Loop")}${data.loop_state ?? "not seeded yet"}${data.round > 0 ? `, round ${data.round}` : ""}`,
    `${label("Papers")}${data.total_papers}   ${data.seeds} seeds, ${by.candidate} candidates, ${by.accepted} accepted, ${by.rejected} rejected`,
    `${label("Cited")}${data.referenced_not_fetched} works are cited here and not fetched`,
    ...data.builds.map(
      (one, at) =>
        `${label(at === 0 ? "Networks" : "")}${one.name}   ${one.nodes} nodes, ${one.edges} edges${one.stale ? `   ${style.yellow("stale")}` : ""}`,
    ),
    ...(data.builds.length === 0 && data.total_papers > 0
      ? [`${label("Networks")}none is built yet: writ research build`]
      : []),
    ...data.runs.map(
      (one, at) =>
        `${label(at === 0 ? "Runs" : "")}${one.run_id}   ${one.started_at}   ${one.verb}${stateOf(one, style)}`,
    ),
    ...data.unfinished_runs.flatMap((one) => [
      `${label("Unfinished")}${one.run_id}   ${one.verb}${one.pages_done === null ? ", killed" : `, ${one.pages_done} ${one.pages_done === 1 ? "page" : "pages"}`}`,
      ...(one.resume === undefined ? [] : [`${label("")}go on     ${one.resume}`]),
      `${label("")}give up   ${one.discard}`,
    ]),
    `${label("Next")}${data.next_command ?? data.next_best_action}${data.readiness.ready ? "" : `   ${style.yellow(data.readiness.reason)}`}`,
  ];
  return lines.map((line) => line.trimEnd()).join("\n");
}

function stateOf({ state, undone }: StatusData["runs"][number], style: Style): string {
  const word = undone ? "undone" : state;
  return word === "done" ? "" : `   ${style.yellow(word)}`;
}
