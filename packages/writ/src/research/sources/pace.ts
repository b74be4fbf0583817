/** Keeps requests to one service apart: each takes the next free moment. */
export class Pace {
  #free = 0;
  #intervalMs: number;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** The service asks for another distance. */
  ask(intervalMs: number | undefined): void {
    if (intervalMs !== undefined) this.#intervalMs = intervalMs;
  }

  /** Takes the next moment, and answers how long it is until then. */
  take(now: number): number {
    const at = Math.max(now, this.#free);
    this.#free = at + this.#intervalMs;
    return at - now;
  }
}
