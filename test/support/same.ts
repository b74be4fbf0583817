import type { Envelope } from "../../packages/writ/src/contract/index.ts";

/** What differs between two runs of the same thing: where it ran, chance, and what follows from them. */
const varying =
  /\b(?:[a-z]{2,12}_){1,2}[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\bwrit_[0-9a-f]{64}\b|\b[0-9a-f]{64}\b|\b[0-9a-f]{16}\b/g;

/**
 * A text in which everything that chance decides is named by the order it appears in, so that two runs of
 * the same thing give the same bytes. `places` are replaced by their keys, longest first.
 */
export function sameAgain(text: string, places: Record<string, string>): string {
  const seen = new Map<string, string>();
  const byLength = Object.entries(places).toSorted((a, b) => b[1].length - a[1].length);
  const placed = byLength.reduce((all, [name, place]) => all.replaceAll(place, `<${name}>`), text);
  return placed.replaceAll(varying, (found) => {
    if (!seen.has(found)) seen.set(found, `<${seen.size + 1}>`);
    return seen.get(found) ?? "";
  });
}

/** `data` and `error` of an envelope, without what its transport alone decides: how the workspace was found. */
export function withoutTransport({ data, error }: Envelope): string {
  const { workspace, ...rest } = data as { workspace?: { root: string; source: string } };
  return JSON.stringify(
    { data: { ...(workspace && { workspace: { root: workspace.root } }), ...rest }, error },
    null,
    1,
  );
}
