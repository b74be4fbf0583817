import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256Hex } from "./node-crypto.ts";
import { smallSha256 } from "./small-sha256.ts";

test("a hash is the same of bytes and of the text they spell", () => {
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(sha256Hex(Buffer.from("é"))).toBe(sha256Hex("é"));
});

const theirs = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

test("what is hashed here has the hash that Node gives it", () => {
  // Every length around the ends of blocks, where the padding changes.
  for (let length = 0; length <= 200; length++) {
    const bytes = Buffer.alloc(length, length);
    expect(smallSha256(bytes)).toBe(theirs(bytes));
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      expect(smallSha256(bytes)).toBe(theirs(bytes));
    }),
  );
});

test("the hash of a text does not depend on how much was hashed before it", () => {
  const text = "für sich ".repeat(200);
  for (let turn = 0; turn < 10; turn++) expect(sha256Hex(text)).toBe(theirs(Buffer.from(text)));
});
