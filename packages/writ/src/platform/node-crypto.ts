import { hash, randomBytes as nodeRandomBytes } from "node:crypto";
import { smallSha256 } from "./small-sha256.ts";

// Loading node:crypto takes a fifth of Node's own start, and who only looks hashes a few names and small files and
// needs nothing else of it. So the first bytes of such a process are hashed here, and all that follow there.
const byHandBytes = 8 * 1024;
let byHand = 0;
let loaded = false;

/** The SHA-256 of bytes, or of a text's UTF-8, as 64 hexadecimal digits. */
export function sha256Hex(content: Uint8Array | string): string {
  byHand += content.length;
  if (loaded || byHand > byHandBytes) {
    loaded = true;
    return hash("sha256", content, "hex");
  }
  return smallSha256(typeof content === "string" ? Buffer.from(content) : content);
}

/** Bytes from the machine's secure random source. */
export function randomBytes(size: number): Buffer {
  loaded = true;
  return nodeRandomBytes(size);
}
