const blockBytes = 64;
const rounds = 64;

/** SHA-256 as FIPS 180-4 describes it, for inputs so small that it is never made fast. */
export function smallSha256(bytes: Uint8Array): string {
  tables ??= makeTables();
  const state = Int32Array.from(tables.start);
  const padded = Buffer.alloc(Math.ceil((bytes.length + 9) / blockBytes) * blockBytes);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  padded.writeUIntBE(bytes.length * 8, padded.length - 6, 6);
  const words = new Int32Array(rounds);
  for (let at = 0; at < padded.length; at += blockBytes) {
    for (let i = 0; i < 16; i++) words[i] = padded.readInt32BE(at + 4 * i);
    mix(state, words, tables.factors);
  }
  const digest = Buffer.alloc(32);
  state.forEach((word, i) => digest.writeInt32BE(word, 4 * i));
  return digest.toString("hex");
}

// The turns are written out: here a call costs more than what it would do.
/** Works one block of 16 words into the state. */
function mix(state: Int32Array, words: Int32Array, factors: Int32Array): void {
  for (let i = 16; i < rounds; i++) {
    const x = words[i - 15] as number;
    const y = words[i - 2] as number;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[i] = (words[i - 16] as number) + s0 + (words[i - 7] as number) + s1;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let i = 0; i < rounds; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const first = (h + s1 + ((e & f) ^ (~e & g)) + (factors[i] as number) + (words[i] as number)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const second = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  const worked = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] = (state[i] as number) + (worked[i] as number);
}

let tables: { start: Int32Array; factors: Int32Array } | undefined;

/** The first 32 bits behind the point of the square roots of the first 8 primes, and of the cube roots of the first 64. */
function makeTables(): { start: Int32Array; factors: Int32Array } {
  const primes: number[] = [];
  for (let n = 2; primes.length < rounds; n++) if (primes.every((prime) => n % prime > 0)) primes.push(n);
  const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) | 0;
  return {
    start: Int32Array.from(primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))),
    factors: Int32Array.from(primes.map((prime) => fraction(Math.cbrt(prime)))),
  };
}
