/** The bounds of every request; a breach is answered with an envelope. */
export interface Limits {
  bodyBytes: number;
  /** A file that a call reads; it goes to the disk as it comes. */
  uploadBytes: number;
  headerBytes: number;
  /** The longest a client may make no progress while it sends or reads. */
  idleMs: number;
  /** The longest a whole request may take to arrive: a drip of single bytes is progress, and still an attack. */
  arrivalMs: number;
  requests: number;
  streams: number;
  streamsPerToken: number;
  /** What a stream keeps of its newest events, for a slow reader and for one that comes back. */
  streamBytes: number;
  /** What all streams together keep. */
  allStreamBytes: number;
  /** How long a stream waits for a reader that lost it; then its call is given up. */
  resumeMs: number;
  keepAliveMs: number;
}

export const defaultLimits: Limits = {
  bodyBytes: 8 * 1024 * 1024,
  uploadBytes: 512 * 1024 * 1024,
  headerBytes: 32 * 1024,
  idleMs: 30_000,
  arrivalMs: 300_000,
  requests: 200,
  streams: 1000,
  streamsPerToken: 50,
  // Room for a burst of some thousand events.
  streamBytes: 256 * 1024,
  allStreamBytes: 64 * 1024 * 1024,
  resumeMs: 60_000,
  keepAliveMs: 15_000,
};
