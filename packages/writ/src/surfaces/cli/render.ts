import { styleText } from "node:util";
import type { Capability, Envelope, ErrorObject, Style, Warning } from "../../contract/index.ts";
import { visibleIn } from "../../platform/index.ts";
import { outline } from "./outline.ts";

const coloured: Style = {
  bold: (text) => styleText("bold", text, { validateStream: false }),
  dim: (text) => styleText("dim", text, { validateStream: false }),
  red: (text) => styleText("red", text, { validateStream: false }),
  green: (text) => styleText("green", text, { validateStream: false }),
  yellow: (text) => styleText("yellow", text, { validateStream: false }),
};

const plain: Style = {
  bold: (text) => text,
  dim: (text) => text,
  red: (text) => text,
  green: (text) => text,
  yellow: (text) => text,
};

/** The looks for this stream. */
export function styleFor(colour: boolean): Style {
  return colour ? coloured : plain;
}

/** The human rendering of an envelope's data, or undefined when there is nothing to show. */
export function renderData(
  answer: Envelope,
  capability: Pick<Capability, "render"> | undefined,
  style: Style,
): string | undefined {
  // Names and texts of others are among the data, and none of them may drive the terminal it is shown on.
  const shown = visibleIn(answer.data);
  const { workspace: _, ...data } = shown;
  if (Object.keys(data).length === 0) return undefined;
  if (!capability?.render) return ended(outline(data));
  if (answer.ok) return ended(rehearsed(capability.render(shown as never, style), data));
  try {
    return ended(capability.render(shown as never, style));
  } catch {
    // A check that failed carries complete data; another failure may carry a part, which its rendering does not know.
    return ended(outline(data));
  }
}

/** Whatever it shows, a dry run says last that it was one: no rendering has to. */
function rehearsed(text: string, { dry_run: dry }: Record<string, unknown>): string {
  return dry === true ? `${text.trimEnd()}\nA dry run: nothing was changed.` : text;
}

/** The three lines of an error: what happened, the fact behind it, what to do next. */
export function renderError(raised: ErrorObject, style: Style): string {
  const error = visibleIn(raised);
  const [first = "", ...more] = error.remediation.split("\n");
  return [
    `[ERROR] ${style.red(error.code)}: ${error.message}`,
    `  Cause: ${error.cause}`,
    ...problemLines(error),
    `  Next:  ${[first, ...more.map((line) => `         ${line}`)].join("\n")}`,
    "",
  ].join("\n");
}

/** One line for a warning. */
export function renderWarning(warning: Warning): string {
  return `${warning.code}: ${warning.message}${warning.remediation ? ` ${warning.remediation}` : ""}`;
}

function ended(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

/** Problems of documents, each at its place: what a person must see to mend them all in one go. */
function problemLines({ details }: ErrorObject): string[] {
  const problems = Array.isArray(details?.problems) ? (details.problems as Partial<Problem>[]) : [];
  const lines = problems.slice(0, 20).map(({ file, line, column, message, hint }) => {
    const place = [file, line, column].filter((part) => part !== undefined).join(":");
    return `         ${place}  ${message ?? ""}${hint ? ` (${hint})` : ""}`;
  });
  return problems.length > 20 ? [...lines, `         … and ${problems.length - 20} more`] : lines;
}

interface Problem {
  file: string;
  line: number;
  column: number;
  message: string;
  hint: string;
}
