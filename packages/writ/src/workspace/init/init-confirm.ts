import { fail, type Context } from "../../contract/index.ts";
import { quote } from "../../platform/index.ts";
import type { Survey } from "./survey-template.ts";

/** Lets a template that clones, or may clone, through only with a person's word; answers whether one was needed. */
export async function confirmTemplate(
  ctx: Pick<Context, "ask">,
  template: string,
  { survey, yes, command }: { survey: Survey; yes: boolean; command: string },
): Promise<boolean> {
  if (!survey.requiresConfirmation) return false;
  if (yes) return true;
  const { composes_stacks, clones_repos } = survey.meta;
  const what = clones_repos.length > 0 ? `clones ${clones_repos.join(", ")}` : "may clone repositories";
  if (ctx.ask && (await ctx.ask(`The template ${template} ${what}. Go on?`, ["yes", "no"])) === "yes")
    return true;
  throw fail("E_CONFIRMATION_REQUIRED", {
    message: `The template "${template}" needs a person's word: a workspace made of it ${what}.`,
    cause:
      clones_repos.length > 0
        ? `It composes ${composes_stacks.join(", ") || "no stack"}, and clones ${clones_repos.length} ${clones_repos.length === 1 ? "repository" : "repositories"}.`
        : `What it would clone could not be found out: ${survey.unknown[0] ?? ""}`,
    remediation: `Ask the person, then: ${command} --yes`,
    details: {
      template,
      composes_stacks,
      clones_repos,
      ...(survey.unknown.length > 0 && { unknown: survey.unknown }),
    },
  });
}

/** The call as it would be typed, for messages. */
export function initCommand(given: {
  name: string;
  template?: string;
  target?: string;
  registry?: string;
}): string {
  const flags = (["template", "target", "registry"] as const).flatMap((flag) => {
    const value = given[flag];
    return value === undefined ? [] : [`--${flag} ${quote(value)}`];
  });
  return ["writ init", quote(given.name), ...flags].join(" ");
}
