import { join } from "node:path";
import { counted, readOrNull } from "../../platform/index.ts";
import { maxContextBytes } from "../compose/context-bytes.ts";
import { planContext } from "../compose/context-plan.ts";
import { sizeWarnings } from "../compose/context-size.ts";
import { wantsIgnore } from "../repos/enclosing-repo.ts";
import { composeIgnore } from "../compose/gitignore.ts";
import { type Damage, parseMarkers } from "../compose/markers.ts";
import type { Observed } from "../run/observe-changeset.ts";
import { type CheckRow, type Finding, failed, listed, ok, warn } from "./check.ts";
import { type Room, withObserved, withChangeset } from "./room.ts";

/** The files that agents read first. */
export const contextChecks: readonly CheckRow[] = [
  { id: "context.markers", worst: "fail", workspace: true, look: lookAtMarkers },
  { id: "context.size", worst: "warn", workspace: true, look: lookAtSize },
  { id: "context.notes", worst: "warn", workspace: true, look: lookAtNotes },
];

/** Every context file that is declared or was composed. */
function contextPaths({ changeset, inputs }: Observed): string[] {
  const declared = changeset?.context ?? planContext(inputs.manifest.agentContext);
  const composed = (inputs.applied.applied?.regions ?? []).map(({ path }) => path);
  return [...new Set([...declared.paths.filter((path) => !declared.plain.includes(path)), ...composed])];
}

async function lookAtMarkers(room: Room): Promise<Finding> {
  return withObserved(room, async (seen) => {
    const damages = await damagedFiles(seen);
    if (damages.length === 0) return ok(`${counted(contextPaths(seen).length, "context file")} can be read`);
    const [first] = damages;
    return failed(damages.map(damageText).join("; "), {
      remediation:
        first?.missing[0] === undefined
          ? "Leave each marker line once and in order: start, text, end"
          : `In ${first.file}, restore the line ${first.missing[0]}`,
    });
  });
}

async function damagedFiles(seen: Observed): Promise<Damage[]> {
  const { root, inputs, failure } = seen;
  const found = new Map<string, Damage>();
  for (const file of contextPaths(seen)) {
    const bytes = await readOrNull(join(root, file), { maxBytes: maxContextBytes, label: file });
    const parsed = bytes && parseMarkers(bytes);
    if (parsed?.state === "damaged") found.set(file, { file, ...parsed.damage });
  }
  if (await wantsIgnore(root, inputs.manifest.workspaceRepo.enabled)) {
    const block = composeIgnore(await readOrNull(join(root, ".gitignore"), maxContextBytes), []);
    if ("damage" in block) found.set(block.damage.file, block.damage);
  }
  // The changeset also knows markers that slipped into a code block.
  const planned =
    failure?.code === "E_MARKERS_DAMAGED"
      ? (failure.failure.details?.files as Damage[] | undefined)
      : undefined;
  for (const damage of planned ?? []) if (!found.has(damage.file)) found.set(damage.file, damage);
  return [...found.values()];
}

/** One file's damage, as one clause: what is missing, and where the others stand. */
function damageText({ file, missing, problems, markers }: Damage): string {
  const short = (line: string) => /@awac:([a-z-]+)/.exec(line)?.[1] ?? line;
  const facts = [...missing.map((line) => `no ${short(line)}`), ...problems];
  const places = markers.map(({ marker, line, fence_line: fence }) => {
    const [, end = short(marker)] = /-(start|end)$/.exec(short(marker)) ?? [];
    return `${end} at line ${line}${fence === undefined ? "" : `, inside the code block of line ${fence}`}`;
  });
  return `${file}: ${facts.join(", ")}${places.length > 0 ? ` (${places.join(", ")})` : ""}`;
}

async function lookAtSize(room: Room): Promise<Finding> {
  return withObserved(room, async (seen) => {
    const files: { path: string; bytes: Buffer }[] = [];
    for (const path of contextPaths(seen)) {
      const bytes = await readOrNull(join(seen.root, path), maxContextBytes).catch(() => null);
      if (bytes) files.push({ path, bytes });
    }
    const found = sizeWarnings(files);
    const [first] = found;
    if (!first)
      return ok(
        files.map(({ path, bytes }) => `${path} ${(bytes.length / 1024).toFixed(1)} KiB`).join(", ") ||
          "none yet",
      );
    return warn(found.map(({ message }) => message.replace(/\.$/, "")).join("; "), {
      ...(first.remediation !== undefined && { remediation: first.remediation }),
    });
  });
}

async function lookAtNotes(room: Room): Promise<Finding> {
  return withChangeset(room, (changeset) => {
    const { files } = changeset.compose.contextResult;
    const inState = (state: string) => files.filter(({ notes }) => notes === state).map(({ path }) => path);
    const disagree = inState("conflict");
    if (disagree.length > 0) {
      return warn(`different notes in ${listed(disagree)}`, {
        remediation: "Make their notes equal by hand, then: writ bootstrap",
      });
    }
    const edited = inState("edited");
    if (edited.length === 0) return ok("the same in every context file");
    return warn(`notes in ${listed(edited)} have not reached the other context files`, {
      remediation: "writ bootstrap",
    });
  });
}
