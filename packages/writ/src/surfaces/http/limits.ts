/** The bounds of every request; a breach is answered with an envelope. */
export interface Limits {
  bodyBytes: number;
  headerBytes: number;
  /** The longest a client may make no progress while it sends or reads. */
  idleMs: number;
  /** The longest a whole request may take to arrive: a drip of single bytes is progress, and still an attack. */
  arrivalMs: number;
  requests: number;
  streams: number;
  streamsPerToken: number;
  /** What a stream holds for a slow reader before it is cut. */
  streamBytes: number;
  keepAliveMs: number;
}

export const defaultLimits: Limits = {
  bodyBytes: 8 * 1024 * 1024,
  headerBytes: 32 * 1024,
  idleMs: 30_000,
  arrivalMs: 300_000,
  requests: 200,
  streams: 1000,
  streamsPerToken: 50,
  // Room for a burst of some thousand events; a thousand readers that never read still fit in 256 MiB.
  streamBytes: 256 * 1024,
  keepAliveMs: 15_000,
};
