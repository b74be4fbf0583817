import { DOMParser } from "@xmldom/xmldom";

/** The diagram as a strict reader of XML has it. */
export function parseSvg(svg: string) {
  const problems: string[] = [];
  const document = new DOMParser({
    onError: (level, message) => void problems.push(`${level}: ${message}`),
  }).parseFromString(svg, "image/svg+xml");
  if (problems.length > 0) throw new Error(problems.join("; "));
  return document;
}

/** What it says, text by text. */
export function textsOf(svg: string): string[] {
  return [...parseSvg(svg).getElementsByTagName("text")].map((one) => one.textContent ?? "");
}
