import { sha256Hex as sha256 } from "../../platform/index.ts";

export { sha256 };

/** The hash under which a symbolic link is compared; no file has it, since none can contain the prefix. */
export function linkHash(target: string): string {
  return sha256(`\0link\0${target}`);
}

/** True when bytes look like text: no NUL among the first 8,000, as git decides it. */
export function isText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, 8000).includes(0);
}

/** True when the bytes are text that differs from `expected` in line endings only. */
export function equalButForLineEndings(bytes: Buffer, expected: string): boolean {
  if (!isText(bytes)) return false;
  const lf = bytes.toString("latin1").replaceAll("\r\n", "\n");
  const crlf = lf.replaceAll("\n", "\r\n");
  return [lf, crlf].some((text) => sha256(Buffer.from(text, "latin1")) === expected);
}
