import * as z from "zod";
import { capability } from "../../contract/index.ts";

export default capability({
  id: "skill.providers",
  summary: "List the agent clients Writ knows, and the files and folders each one reads.",
  description:
    "The table from which context files, rule files and skill folders are composed. Each row says when it was last checked against the client's own documentation.",
  input: z.object({}),
  output: () =>
    z.object({
      providers: z.array(
        z.object({
          id: z.string().describe("What --provider and agent_context.clients take."),
          name: z.string(),
          instruction_files: z
            .array(z.string())
            .describe("Read at the root; the first is the one Writ would add."),
          rules_dir: z.string().optional(),
          skills_dir: z.string(),
          user_skills_dir: z.string().optional(),
          limits: z.string().describe("In words."),
          checked_on: z.string().describe("Year and month."),
        }),
      ),
    }),
  need: { effect: "observe", network: "never", workspace: "none" },
  errors: [],
  examples: [
    { title: "The table", input: {} },
    { title: "As data for a script: writ skill providers --json", input: {} },
  ],
  related: ["skill add", "guide"],
  async run() {
    const { clients } = await import("../compose/clients.ts");
    return {
      providers: clients.map(
        ({ id, name, instructionFiles, rulesDir, skillsDir, userSkillsDir, limits, checkedOn }) => ({
          id,
          name,
          instruction_files: [...instructionFiles],
          ...(rulesDir !== undefined && { rules_dir: rulesDir }),
          skills_dir: skillsDir,
          ...(userSkillsDir !== undefined && { user_skills_dir: userSkillsDir }),
          limits,
          checked_on: checkedOn,
        }),
      ),
    };
  },
  render: ({ providers }, style) => {
    const rows = providers.map(({ id, instruction_files, skills_dir }) => {
      return { id, files: instruction_files.join(", "), skills: skills_dir };
    });
    const width = Math.max(...rows.map(({ files }) => files.length));
    return rows
      .map(({ id, files, skills }) => `${style.bold(id.padEnd(12))}  ${files.padEnd(width)}  ${skills}`)
      .join("\n");
  },
});
