import * as z from "zod";
import { capability } from "../../contract/index.ts";

export default capability({
  id: "skill.add",
  summary: "Install the skills that ship with Writ, so that an agent client knows how to use it.",
  description:
    "Copies them into a client's skills folder. A copy that was never edited is brought up to date; an edited one is refused, or with --force replaced and kept beside as NAME.bak-N. Composing never touches what was installed here.",
  input: z.object({
    name: z
      .array(z.string().max(100))
      .max(100)
      .default([])
      .meta({ positional: 0 })
      .describe("Skills by name. Default: all of them."),
    provider: z
      .string()
      .max(100)
      .default("agents")
      .describe("The client whose folder is meant (writ skill providers); agents is .agents/skills."),
    scope: z
      .enum(["project", "user"])
      .default("project")
      .describe("In the project, or in the user's own folder for all projects."),
    target: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .meta({ local_path: true })
      .describe("The project's folder. Default: the current folder."),
    force: z.boolean().default(false).describe("Replace an edited copy, keeping it as a backup."),
  }),
  output: () =>
    z.object({
      installed: z.array(
        z.object({
          name: z.string(),
          path: z
            .string()
            .describe("Where it is, relative to the project; with ~ for the user's own folder."),
          action: z.enum(["created", "updated", "replaced", "unchanged"]),
          backup: z.string().optional().describe("Where the replaced copy is kept."),
        }),
      ),
    }),
  need: { effect: "local", network: "never", workspace: "none" },
  errors: [
    "E_EXISTS",
    "E_NOT_FOUND",
    "E_UNKNOWN_CLIENT",
    "E_CONFLICTING_INPUT",
    "E_INVALID_VALUE",
    "E_UNSAFE_PATH",
    "E_UNSAFE_LINK",
    "E_LIMIT",
  ],
  examples: [
    { title: "For every client that reads .agents/skills", input: {} },
    { title: "For Claude Code, in all your projects", input: { provider: "claude-code", scope: "user" } },
    { title: "Replace an edited copy", input: { name: ["writ"], force: true } },
  ],
  related: ["skill providers", "guide", "mcp"],
  async run(ctx, { name, ...rest }) {
    const { addSkills } = await import("../shipped/add-skills.ts");
    const added = await addSkills(ctx, { names: name, ...rest });
    return added.changed
      ? added
      : { ...added, reason: "Every skill is there already, as this version ships it." };
  },
  render: (data, style) =>
    data.installed
      .map(
        ({ name, path, action, backup }) =>
          `${style.bold(name.padEnd(12))} ${action.padEnd(9)} ${path}${backup ? `   yours: ${backup}` : ""}`,
      )
      .join("\n"),
});
