import { isUtf8 } from "node:buffer";
import type { Finding, YamlLimits } from "./limits.ts";

/** The text of a file, or why it has none. */
export function decodeText(
  input: Uint8Array | string,
  limits: YamlLimits,
): { text: string } | { finding: Finding; line: number } {
  const sizeBytes = typeof input === "string" ? Buffer.byteLength(input) : input.length;
  if (sizeBytes > limits.maxBytes) {
    const message = `the file has ${sizeBytes} bytes, and at most ${limits.maxBytes} are read`;
    return {
      finding: { kind: "limit", offset: 0, message, limit: limits.maxBytes, found: sizeBytes },
      line: 1,
    };
  }
  if (typeof input === "string") return { text: input.replace(/^\uFEFF/, "") };
  // TextDecoder drops a byte-order mark by itself.
  if (isUtf8(input)) return { text: new TextDecoder().decode(input) };
  const message = "the file is not valid UTF-8";
  return { finding: { kind: "syntax", offset: 0, message, hint: "save it as UTF-8" }, line: badLine(input) };
}

// A line feed is never part of a longer UTF-8 sequence, so each line can be judged alone.
function badLine(bytes: Uint8Array): number {
  for (let line = 1, start = 0; ; line++) {
    const end = bytes.indexOf(10, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}
