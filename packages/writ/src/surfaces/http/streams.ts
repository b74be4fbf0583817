import type { Limits } from "./limits.ts";
import { createStream, type KeptStream, type Opening, type Stream } from "./stream.ts";

/** Every stream that is being read, or may still be resumed. */
export interface Streams {
  open(opening: Opening): Stream;
  /** The stream of this id, if it is this owner's. */
  find(owner: string, id: string): Stream | undefined;
  /** What all streams together keep. */
  readonly bytes: number;
}

/** Keeps the streams of one server, each within its own bound and all together within theirs. */
export function createStreams(limits: Limits): Streams {
  const kept = new Map<string, KeptStream>();
  let bytes = 0;

  /** What has ended goes first, the oldest first; then the fullest let go of their oldest events. */
  function fit(): void {
    for (const stream of kept.values()) {
      if (bytes <= limits.allStreamBytes) return;
      if (stream.ended) stream.drop();
    }
    while (bytes > limits.allStreamBytes) {
      const fullest = [...kept.values()].reduce((most, one) => (one.bytes > most.bytes ? one : most));
      if (!fullest.shrink()) return;
    }
  }
  function makeRoomFor(owner: string): void {
    const own = [...kept.values()].filter((stream) => stream.owner === owner);
    if (own.length >= limits.streamsPerToken) own.find((stream) => stream.ended)?.drop();
  }
  const changed = (by: number): void => {
    bytes += by;
  };
  return {
    open(opening) {
      makeRoomFor(opening.owner);
      const stream = createStream(opening, limits, { changed, fit, forget: () => kept.delete(opening.id) });
      kept.set(stream.id, stream);
      return stream;
    },
    find(owner, id) {
      const stream = kept.get(id);
      return stream?.owner === owner ? stream : undefined;
    },
    get bytes() {
      return bytes;
    },
  };
}
