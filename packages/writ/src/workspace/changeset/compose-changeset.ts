import { join } from "node:path";
import type { Warning } from "../../contract/index.ts";
import { lstatOrNull } from "../../platform/index.ts";
import type { AppliedFile, AppliedState } from "../swap/applied.ts";
import type { Layer } from "../compose/assets.ts";
import { composeContextFiles, contextTooLarge } from "../compose/context.ts";
import { maxContextBytes } from "../compose/context-bytes.ts";
import type { ContextPlan } from "../compose/context-plan.ts";
import type { ContextInput, ContextResult, Facts, RepoLine, StackLine } from "../compose/context-types.ts";
import { contextPlanned } from "./context-planned.ts";
import { look, type OnDisk } from "../swap/disk.ts";
import { linkedContextFiles, scan } from "../swap/disk-scan.ts";
import type { ReadBlobs } from "../swap/drafts.ts";
import { folderInTheWay, planFiles, type Output, type PlannedFile } from "./file-changeset.ts";
import { indexOf } from "../compose/index-entries.ts";
import { composeLayers, type Composition } from "../compose/layers.ts";
import { markersDamaged } from "../compose/markers.ts";
import {
  copiesOf,
  generated,
  indexesOf,
  linkedCopies,
  linksOf,
  nativeOutput,
  nativeRulesOf,
} from "./outputs.ts";
import { choiceFor, type Choices } from "./settle.ts";
import { skillFolders } from "../compose/skills.ts";

/** All that the files of a workspace follow from, besides what is on disk. */
export interface ComposeInput {
  root: string;
  workspaceName: string;
  /** Whether files under agents/ are composed. */
  agents: boolean;
  layers: readonly Layer[];
  stacks: readonly StackLine[];
  repos: readonly RepoLine[];
  context: ContextPlan;
  applied: AppliedState;
  choices: Choices;
  readBlobs: ReadBlobs;
  /** Paths that stay as they are: the overlay cannot be reached, and what came from it stays. */
  carried: ReadonlySet<string>;
  /** Asked when links are to be made where there are none: whether they can be. */
  allowsLinks(): Promise<boolean>;
}

export interface ComposeChangeset {
  composition: Composition;
  facts: Facts;
  files: PlannedFile[];
  contextResult: ContextResult;
  /** Context files and skill folders that are links of the user to where the text already is. */
  linked: string[];
  /** Generated paths that .gitignore lists, besides clones. */
  generatedPaths: string[];
  warnings: Warning[];
}

/** Composes the layers and decides every path; nothing is written, and git is not asked. */
export async function planComposition(input: ComposeInput): Promise<ComposeChangeset> {
  const { root, applied, carried } = input;
  const composition = composeLayers(input.layers, { agents: input.agents });
  const facts: Facts = {
    workspaceName: input.workspaceName,
    stacks: input.stacks,
    repos: input.repos,
    index: indexOf(composition.shared),
  };
  const recorded = new Map((applied.applied?.files ?? []).map((file) => [file.path, file]));
  const outputs = new Map<string, Output>();
  const add = (output: Output) => carried.has(output.path) || outputs.set(output.path, output);
  for (const output of [...copiesOf(composition), ...indexesOf(composition, facts)]) add(output);
  for (const output of await nativeOutputs(input, facts)) add(output);
  const links = await planLinks(input, composition, recorded);
  for (const output of links.outputs) add(output);
  const contexts = await planContexts(input, facts);
  for (const { path, bytes } of contexts.result.extras) add(generated(path, "extra", bytes));

  const ownedHere = [...recorded.values()].filter(({ path, kind }) => kind !== "block" && !carried.has(path));
  const base = new Map(ownedHere.map((file) => [file.path, file]));
  const paths = [...new Set([...outputs.keys(), ...base.keys()])];
  const found = await scan(
    { root, recorded, recordedNs: applied.recordedNs },
    paths,
    new Set(outputs.keys()),
  );
  const files = planFiles({ outputs, recorded: base, found, choices: input.choices });
  return {
    composition,
    facts,
    files: [...files, ...contextPlanned(contexts.result, contexts.found, contexts.choices)],
    contextResult: contexts.result,
    linked: [...contexts.linked, ...links.linked],
    generatedPaths: ignoredPaths(contexts.result, outputs),
    warnings: [...composition.warnings, ...links.warnings, ...contexts.result.warnings],
  };
}

async function nativeOutputs({ context, readBlobs }: ComposeInput, facts: Facts): Promise<Output[]> {
  const natives = nativeRulesOf(facts, context);
  const bytesOf = new Map<string, Buffer>();
  const keyOf = (native: (typeof natives)[number]) => {
    const { origin } = native.rule.asset;
    return { stack: origin.stack, key: origin.oid ?? origin.source };
  };
  const byStack = Map.groupBy(natives, (native) => keyOf(native).stack);
  const wanted = new Map(
    [...byStack].map(([stack, group]) => [stack, [...new Set(group.map((native) => keyOf(native).key))]]),
  );
  for await (const { stack, key, bytes } of readBlobs.together(wanted))
    bytesOf.set(`${stack}\0${key}`, bytes);
  return natives.flatMap((native) => {
    const { stack, key } = keyOf(native);
    const bytes = bytesOf.get(`${stack}\0${key}`);
    return bytes ? [nativeOutput(native, bytes)] : [];
  });
}

async function planLinks(
  input: ComposeInput,
  composition: Composition,
  recorded: ReadonlyMap<string, AppliedFile>,
) {
  const { root, context } = input;
  const skills = [...skillFolders(composition.shared).keys()];
  const paths = context.skillFolders.flatMap((folder) => [
    folder,
    ...skills.map((skill) => `${folder}/${skill}`),
  ]);
  const disk = await scan({ root, recorded: new Map(), recordedNs: 0n }, paths, new Set());
  const found = (path: string) => foundWord(disk.get(path));
  const copied = paths.filter((path) => isCopied(path, recorded));
  const made = [...recorded.values()].filter(({ kind }) => kind === "link").map(({ path }) => path);
  const planned = linksOf(composition, context, { found, recorded: new Set([...made, ...copied]) });
  const isNew = planned.outputs.some(({ path }) => found(path) === "absent");
  // What was copied stays copies: a link cannot take the place of a folder while its files are still there.
  if (copied.length === 0 && (!isNew || (await input.allowsLinks()))) return planned;
  return { ...planned, outputs: linkedCopies(composition, planned.outputs) };
}

/** Whether a skill was copied to this path, because no link could be made. */
function isCopied(path: string, recorded: ReadonlyMap<string, AppliedFile>): boolean {
  for (const file of recorded.values())
    if (file.kind === "derived" && file.path.startsWith(`${path}/`)) return true;
  return false;
}

function foundWord(found: OnDisk | undefined): "absent" | "folder" | "file" | { link: string } {
  if (!found || found.kind === "absent") return "absent";
  if (found.kind === "link") return { link: found.target };
  return found.kind === "folder" ? "folder" : "file";
}

async function planContexts(input: ComposeInput, facts: Facts) {
  const { root, context, applied, choices } = input;
  const regions = new Map((applied.applied?.regions ?? []).map((region) => [region.path, region]));
  const paths = [
    ...new Set([...context.paths.filter((path) => !context.plain.includes(path)), ...regions.keys()]),
  ];
  const linked = await linkedContextFiles(root, paths);
  const found = new Map<string, OnDisk>();
  for (const path of paths) if (!linked.has(path)) found.set(path, await lookAtContext(root, path));
  const existing = new Map(paths.map((path) => [path, bytesOf(found.get(path))]));
  const given: ContextInput = { ...facts, plan: context, existing, applied: regions, linked };
  const first = composeContextFiles(given);
  if (first.damaged.length > 0) throw markersDamaged(first.damaged);
  const settle = choicesFor(first, choices);
  const result = settle.size === 0 ? first : composeContextFiles({ ...given, settle });
  return { result, found, linked, choices: settle };
}

async function lookAtContext(root: string, path: string): Promise<OnDisk> {
  // Its size first: to hash what is far too large takes longer than anybody waits.
  const stats = await lstatOrNull(join(root, path));
  if (stats?.isFile() && stats.size > maxContextBytes) throw contextTooLarge(path, stats.size);
  const found = await look(root, path);
  if (found.kind === "folder") throw folderInTheWay(path, "agent_context");
  if (found.kind === "file" && !found.bytes) throw contextTooLarge(path, found.print.size);
  return found;
}

function bytesOf(found: OnDisk | undefined): Buffer | null {
  return found?.kind === "file" ? (found.bytes ?? null) : null;
}

/** A side taken for each conflict, or for a file that is named. */
function choicesFor(result: ContextResult, choices: Choices): Map<string, "theirs" | "ours"> {
  const settled = new Map<string, "theirs" | "ours">();
  for (const { path, state } of result.files) {
    const choice = choiceFor(choices, path);
    if (choice === undefined || choice === "merge") continue;
    if (state === "conflict" || choices.theirs.includes(path)) settled.set(path, choice);
  }
  return settled;
}

function ignoredPaths(result: ContextResult, outputs: ReadonlyMap<string, Output>): string[] {
  const contexts = result.files.filter((file) => !file.ownText).map((file) => file.path);
  const outside = [...outputs.values()].filter(
    ({ kind, overlay }) => !overlay && (kind === "derived" || kind === "link" || kind === "extra"),
  );
  return [...contexts, ...outside.map(({ path }) => path)];
}
