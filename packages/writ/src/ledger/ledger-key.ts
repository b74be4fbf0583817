import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { join } from "node:path";
import { fail, type WritError } from "../contract/index.ts";
import { createExclusive, makeFolder, readOrNull, sha256Hex, storing } from "../platform/index.ts";

/** The key that signs checkpoints. The private half never leaves this object. */
export interface LedgerKey {
  /** The first 16 digits of the SHA-256 of the public key. */
  keyId: string;
  /** SPKI, base64. */
  publicKey: string;
  sign(text: string): string;
}

const fileName = "ledger_key.pem";
const maxBytes = 16 * 1024;

/**
 * The installation's key: from WRIT_LEDGER_KEY or the keychain where one of them has it, else from a file
 * only its owner can read, made once.
 */
export async function openLedgerKey(options: {
  folder: string;
  configured?: string | undefined;
}): Promise<LedgerKey> {
  if (options.configured) return keyOf(parsePrivateKey(options.configured, "WRIT_LEDGER_KEY"));
  const path = join(options.folder, fileName);
  const pem = await storing(fileName, async () => {
    const there = await readOrNull(path, { maxBytes });
    if (there) return there;
    await makeFolder(options.folder, 0o700);
    const made = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" });
    // Of two processes that make one at once, both use the one that came first.
    if (await createExclusive(path, made, { mode: 0o600 })) return made;
    return (await readOrNull(path, { maxBytes })) ?? made;
  });
  return keyOf(parsePrivateKey(pem.toString(), fileName));
}

function parsePrivateKey(text: string, name: string): KeyObject {
  try {
    // Variables often cannot hold line breaks.
    const pem = text.replaceAll("\\n", "\n").trim();
    const key = pem.startsWith("-----BEGIN")
      ? createPrivateKey(pem)
      : createPrivateKey({ key: Buffer.from(pem, "base64"), format: "der", type: "pkcs8" });
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // What the parser says could hold a part of the key.
  }
  throw noKey(name);
}

function keyOf(privateKey: KeyObject): LedgerKey {
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" }).toString("base64");
  return {
    keyId: keyIdOf(publicKey),
    publicKey,
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString("base64"),
  };
}

/** The name of a public key: the first 16 digits of its hash. */
export function keyIdOf(publicKey: string): string {
  return sha256Hex(Buffer.from(publicKey, "base64")).slice(0, 16);
}

/** Whether a signature of this text was made with this key; false for anything malformed. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
    // Base64 has several spellings of the same bytes; only the canonical one is what was written.
    const bytes = Buffer.from(signature, "base64");
    return bytes.toString("base64") === signature && verify(null, Buffer.from(text), key, bytes);
  } catch {
    return false;
  }
}

function noKey(name: string): WritError {
  return fail("E_INVALID_VALUE", {
    message: `${name} holds no key that can sign checkpoints.`,
    cause: "It is not an Ed25519 private key (PKCS #8, PEM or base64).",
    remediation: 'Make one: export WRIT_LEDGER_KEY="$(openssl genpkey -algorithm ed25519)"',
  });
}
