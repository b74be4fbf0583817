import type { Style } from "../../contract/index.ts";
import type { ConfigChange } from "./change.ts";

type Shown = Omit<ConfigChange, "changed"> & { changed?: boolean; dry_run?: boolean };

const words: Record<Exclude<ConfigChange["action"], "none">, { would: string; did: string }> = {
  created: { would: "Would make", did: "Made" },
  added: { would: "Would add an entry to", did: "Added an entry to" },
  removed: { would: "Would take the entry out of", did: "Took the entry out of" },
  deleted: { would: "Would remove", did: "Removed" },
};

/** What was or would be written into a client's configuration, and where. */
export function renderConfigChange(data: Shown, style: Style): string {
  const { client, file, place, entry, action, dry_run, next = [] } = data;
  if (action === "none") return `${style.bold(file)}   ${data.reason ?? "Nothing to do."} Nothing changed.`;
  const installs = action === "created" || action === "added";
  const text = installs ? [`  ${place} = ${JSON.stringify(entry)}`] : [];
  return [
    `${dry_run ? words[action].would : words[action].did} ${style.bold(file)} for ${client}${installs ? ":" : `; the entry was ${place}.`}`,
    ...text,
    ...(dry_run ? [] : next.map((line) => `Undo     ${line}`)),
  ].join("\n");
}
