import { mkdir, mkdtemp, realpath, rename } from "node:fs/promises";
import { userInfo } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fail, nearest, type Context } from "../../contract/index.ts";
import {
  createExclusive,
  lstatOrNull,
  makeFolder,
  readOrNull,
  removeTree,
  requireNoLinks,
  storing,
  walkFolder,
} from "../../platform/index.ts";
import { findClient } from "../compose/clients.ts";
import { conflicting } from "../run/run-request.ts";
import { earlierSkills, hashOfTree, shippedSkills, type ShippedSkill } from "./shipped-skills.ts";

/** Which skills go where. */
export interface AddSkills {
  names: readonly string[];
  /** A client's id, or `agents` for the folder that most clients read. */
  provider: string;
  scope: "project" | "user";
  target?: string;
  force: boolean;
}

export interface InstalledSkill {
  name: string;
  /** Relative to the target; for the user's own folder as the client writes it, with ~. */
  path: string;
  action: "created" | "updated" | "replaced" | "unchanged";
  /** Where a replaced folder is kept. */
  backup?: string;
}

const sharedFolder = ".agents/skills";

/** Copies shipped skills into a client's skills folder. All are looked at before any is written. */
export async function addSkills(
  ctx: Pick<Context, "base" | "local" | "dryRun" | "settings">,
  request: AddSkills,
  earlier: Readonly<Record<string, readonly string[]>> = earlierSkills,
): Promise<{ installed: InstalledSkill[]; changed: boolean }> {
  const place = await placeOf(ctx, request);
  const skills = chosen(await shippedSkills(), request.names);
  const plans = [];
  for (const skill of skills) plans.push(await planOne(skill, { place, earlier, force: request.force }));
  if (!ctx.dryRun) for (const plan of plans) await install(plan, place.root);
  return {
    installed: plans.map(({ skill, path, action, backup }) => {
      const shown = (inner: string) =>
        place.shown === undefined ? inner : `${place.shown}${inner.slice(place.folder.length)}`;
      return {
        name: skill.name,
        path: shown(path),
        action,
        ...(backup !== undefined && { backup: shown(backup) }),
      };
    }),
    changed: plans.some(({ action }) => action !== "unchanged"),
  };
}

interface Place {
  /** The folder that everything stays below. */
  root: string;
  /** Relative path of the skills folder. */
  folder: string;
  /** How the folder is shown, where that is not its relative path. */
  shown?: string;
}

async function placeOf(
  ctx: Pick<Context, "base" | "local" | "settings">,
  request: AddSkills,
): Promise<Place> {
  const { provider, scope, target } = request;
  const client = provider === "agents" ? undefined : findClient(provider);
  if (scope === "user") {
    if (target !== undefined) throw conflicting("--scope user", "--target");
    if (!ctx.local) throw outside("The user's own folder is not below the folder that is served.");
    const shown = client ? client.userSkillsDir : "~/.agents/skills";
    if (shown === undefined) throw noUserFolder(provider);
    const home = ctx.settings.env("HOME");
    // A relative one would lead to wherever one stands.
    const root = home !== undefined && isAbsolute(home) ? home : userInfo().homedir;
    return { root, folder: shown.replace(/^~\//, ""), shown };
  }
  const root = resolve(ctx.base, target ?? ".");
  if (!ctx.local && !(await isInside(root, ctx.base)))
    throw outside("The target leads out of the folder that is served.");
  return { root, folder: client?.skillsDir ?? sharedFolder };
}

async function isInside(root: string, base: string): Promise<boolean> {
  const inside = relative(await realpath(base), await realpath(root).catch(() => root));
  return !inside.startsWith("..") && !isAbsolute(inside);
}

function chosen(skills: readonly ShippedSkill[], names: readonly string[]): readonly ShippedSkill[] {
  const known = skills.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined)
    return names.length === 0 ? skills : skills.filter(({ name }) => names.includes(name));
  const near = nearest(unknown, known);
  throw fail("E_NOT_FOUND", {
    message: `No skill named "${unknown.slice(0, 80)}" ships with Writ.`,
    cause: `These do: ${known.join(", ")}.`,
    remediation: `Name one of them, or none for all: writ skill add${near === undefined ? "" : ` ${near}`}`,
    details: { name: unknown.slice(0, 80), available: known, ...(near !== undefined && { nearest: near }) },
  });
}

interface Changeset {
  skill: ShippedSkill;
  path: string;
  action: InstalledSkill["action"];
  backup?: string;
}

async function planOne(
  skill: ShippedSkill,
  {
    place,
    earlier,
    force,
  }: { place: Place; earlier: Readonly<Record<string, readonly string[]>>; force: boolean },
): Promise<Changeset> {
  const path = `${place.folder}/${skill.name}`;
  await requireNoLinks(place.root, path);
  const there = await hashOfTree(join(place.root, path));
  if (there === undefined) return { skill, path, action: "created" };
  if (there === skill.hash) return { skill, path, action: "unchanged" };
  if (earlier[skill.name]?.includes(there)) return { skill, path, action: "updated" };
  if (force) return { skill, path, action: "replaced", backup: await freeBackup(place.root, path) };
  throw fail("E_EXISTS", {
    message: `The skill at "${path}" was edited; nothing was changed.`,
    cause: "It is neither what this version of Writ ships nor what an earlier one did.",
    remediation: `Replace it, keeping yours as a backup beside it: writ skill add ${skill.name} --force`,
    details: { name: skill.name, path },
  });
}

async function freeBackup(root: string, path: string): Promise<string> {
  for (let n = 1; ; n++) {
    const backup = `${path}.bak-${n}`;
    if (!(await lstatOrNull(join(root, backup)))) return backup;
  }
}

/** The new folder is complete before the old one moves; a crash between the two renames leaves it beside. */
async function install({ skill, path, action, backup }: Changeset, root: string): Promise<void> {
  if (action === "unchanged") return;
  const to = join(root, path);
  await storing(path, async () => {
    await makeFolder(dirname(to));
    const staging = await mkdtemp(join(dirname(to), `.${basename(to)}.writ-skill-`));
    try {
      const fresh = join(staging, "new");
      await copySkill(skill.folder, fresh);
      if (action !== "created")
        await rename(to, backup === undefined ? join(staging, "old") : join(root, backup));
      await rename(fresh, to);
    } finally {
      await removeTree(staging);
    }
  });
}

async function copySkill(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const { path, kind } of await walkFolder(from)) {
    if (kind !== "file") continue;
    await makeFolder(dirname(join(to, path)));
    await createExclusive(join(to, path), (await readOrNull(join(from, path))) ?? "");
  }
}

function outside(cause: string) {
  return fail("E_UNSAFE_PATH", {
    message: "Skills are installed below the served folder only.",
    cause,
    remediation: "Give a target below it, or run it at that machine's terminal: writ skill add",
    details: { input: "target", reason: "outside" },
  });
}

function noUserFolder(provider: string) {
  return fail("E_INVALID_VALUE", {
    message: `${provider} has no skills folder of the user's own.`,
    cause: "It reads the skills of a project only.",
    remediation: `Install them in the project: writ skill add --provider ${provider}`,
    details: { provider, scope: "user" },
  });
}
