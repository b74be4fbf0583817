import type { Asset } from "../compose/assets.ts";
import type { ContextPlan } from "../compose/context-plan.ts";
import type { Facts } from "../compose/context-types.ts";
import type { Output } from "./file-changeset.ts";
import { linkHash, sha256 } from "../swap/hashes.ts";
import { indexOf } from "../compose/index-entries.ts";
import { indexPath, privateIndexPath, renderIndex, renderPrivateIndex } from "../compose/index-file.ts";
import type { Composition } from "../compose/layers.ts";
import { planNativeRules, renderNativeRule, type NativeRule } from "../compose/native-rules.ts";
import { planSkillLinks, type SkillLinkInput } from "../compose/skill-links.ts";
import { skillFolders } from "../compose/skills.ts";

const overlayLabel = "overlay";
const skillsRoot = ".agents/skills/";

/** The copies of a composition: assets, and the metadata under `.stack/`. */
export function copiesOf(composition: Composition): Output[] {
  return [...composition.files.values(), ...composition.metadata].map(copyOf);
}

function copyOf(asset: Asset): Output {
  const { path, mode, sha256: hash, origin, facts } = asset;
  const isRule = path.startsWith(".agents/rules/");
  return {
    path,
    kind: "copy",
    mode,
    sha256: hash,
    content: { kind: "blob", stack: origin.stack, key: origin.oid ?? origin.source },
    origin,
    ...(origin.stack === overlayLabel && { overlay: true }),
    ...(isRule && facts?.trigger === "always_on" && { alwaysOn: true }),
  };
}

/** The indexes: one of what stacks provide and, only when there is an overlay, one of that. */
export function indexesOf(composition: Composition, facts: Facts): Output[] {
  const shared = generated(indexPath, "index", Buffer.from(renderIndex(facts)));
  if (composition.overlay.size === 0) return [shared];
  const index = indexOf(composition.overlay);
  const text = renderPrivateIndex({ workspaceName: facts.workspaceName, index });
  return [shared, { ...generated(privateIndexPath, "index", Buffer.from(text)), overlay: true }];
}

/** A file made here, with its bytes at hand. */
export function generated(path: string, kind: Output["kind"], bytes: Buffer): Output {
  return { path, kind, mode: "100644", sha256: sha256(bytes), content: { kind: "bytes", bytes } };
}

/** The native rule files a composition asks for, before the bytes of their rules are read. */
export function nativeRulesOf(facts: Facts, context: ContextPlan): NativeRule[] {
  return planNativeRules(context.nativeRules, facts.index.rules);
}

/** A native rule file, once the bytes of its rule are known. */
export function nativeOutput(native: NativeRule, bytes: Buffer): Output {
  const output = generated(native.path, "derived", renderNativeRule(native, bytes));
  return { ...output, origin: native.rule.asset.origin };
}

/** The same skills as copies, where links cannot be made; they follow their originals as any derived file does. */
export function linkedCopies(composition: Composition, links: readonly Output[]): Output[] {
  const skills = [...composition.shared.values()].filter(({ path }) => path.startsWith(skillsRoot));
  return links.flatMap(({ path, content }) => {
    const original = content.kind === "link" ? `${skillsRoot}${content.target.split("/").at(-1)}/` : "";
    return skills
      .filter((asset) => asset.path.startsWith(original))
      .map((asset): Output => {
        const copy = copyOf(asset);
        return { ...copy, path: `${path}/${asset.path.slice(original.length)}`, kind: "derived" };
      });
  });
}

/** The links that show each skill of a stack where a client looks for it. */
export function linksOf(
  composition: Composition,
  context: ContextPlan,
  disk: Pick<SkillLinkInput, "found" | "recorded">,
): { outputs: Output[]; linked: string[]; warnings: ReturnType<typeof planSkillLinks>["warnings"] } {
  const skills = skillFolders(composition.shared);
  const plan = planSkillLinks({ folders: context.skillFolders, skills: [...skills.keys()], ...disk });
  const outputs = plan.links.map(({ path, target, skill }): Output => {
    const origin = skills.get(skill)?.first.origin;
    return {
      path,
      kind: "link",
      mode: "120000",
      sha256: linkHash(target),
      content: { kind: "link", target },
      ...(origin && { origin }),
    };
  });
  return { outputs, linked: plan.linked, warnings: plan.warnings };
}
