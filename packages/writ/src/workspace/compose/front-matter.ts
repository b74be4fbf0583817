import { readYaml } from "../../platform/index.ts";
import { linesOf } from "./text-lines.ts";

export type FrontMatterState = "ok" | "missing" | "broken" | "too_large";

export interface FrontMatter {
  state: FrontMatterState;
  /** Empty unless the state is ok. */
  value: Record<string, unknown>;
  message?: string;
  /** Byte at which the body begins; 0 when there is no block. */
  bodyStart: number;
}

export const maxFrontMatterBytes = 16 * 1024;

/** Reads the YAML block at the top of a Markdown file; what cannot be read is told and never thrown. */
export function readFrontMatter(bytes: Buffer): FrontMatter {
  const lines = linesOf(bytes);
  const isFence = (text: string) => /^---[ \t]*$/.test(text);
  const [first] = lines;
  const close =
    first && isFence(first.text) ? lines.findIndex((line, index) => index > 0 && isFence(line.text)) : -1;
  const end = lines[close];
  if (!first || !end) return { state: "missing", value: {}, message: "no front matter", bodyStart: 0 };
  const bodyStart = end.next;
  if (bodyStart > maxFrontMatterBytes) {
    return { state: "too_large", value: {}, message: `front matter of ${bodyStart} bytes`, bodyStart };
  }
  const { value, problems } = readYaml(bytes.subarray(first.next, end.start));
  const [problem] = problems;
  if (problem) return { state: "broken", value: {}, message: problem.message, bodyStart };
  if (value === null || value === undefined) return { state: "ok", value: {}, bodyStart };
  if (typeof value !== "object" || Array.isArray(value)) {
    return { state: "broken", value: {}, message: "front matter is not a mapping", bodyStart };
  }
  return { state: "ok", value: value as Record<string, unknown>, bodyStart };
}

/** The text of the first heading of a Markdown body. */
export function firstHeading(body: string): string | undefined {
  return /^ {0,3}#{1,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*\r?$/m.exec(body)?.[1];
}
