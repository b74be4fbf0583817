/** What a part of the manual is chosen by. */
interface Parts {
  commands: { command: string; error_codes: string[] }[];
  errors: { code: string }[];
  workflows: { steps: string[] }[];
}

/** The manual as far as it is about one command, or one group of them. */
export function narrowManual(
  manual: Record<string, unknown>,
  path: readonly string[],
): Record<string, unknown> {
  if (path.length === 0) return manual;
  const { commands, errors, workflows } = manual as unknown as Parts;
  const words = path.join(" ");
  const begins = (line: string) => `${line} `.startsWith(`${words} `);
  const chosen = commands.filter(({ command }) => begins(command));
  const codes = new Set(chosen.flatMap((one) => one.error_codes));
  return {
    ...manual,
    commands: chosen,
    workflows: workflows.filter(({ steps }) => steps.some((step) => begins(step.replace(/^writ /, "")))),
    errors: errors.filter(({ code }) => codes.has(code)),
  };
}
