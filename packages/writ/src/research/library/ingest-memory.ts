import { collectGarbage, growYoungSpace } from "../../platform/index.ts";
import type { Database } from "./database.ts";
import type { Recorded } from "./record.ts";

/**
 * With little memory a library of so many records can be filled, whose texts are not longer: characters of one work, and
 * of a work on the average. What is more is worth all memory that there is.
 */
const few = { records: 100_000, text: 256 * 1024, average: 3072 };

/** What is stored together: so many records, or so many characters of them. */
const batches = {
  little: { records: 1000, characters: 1_500_000 },
  all: { records: 5000, characters: 32_000_000 },
};

/** After so many batches garbage is collected, which takes as long as reading some hundred works. */
const collectEach = 2;

/**
 * How much memory the taking in of works has. Fewer than a batch change nothing. With more, a small library is worked on
 * with little memory, to the end of the change, which then calls {@link endOfLittle}; a large one with all.
 */
export class IngestMemory {
  readonly #db: Database;
  /** Records in the library. */
  #records: number;
  /** What came, of that what is in no batch yet, and how many batches there were since garbage was collected. */
  readonly #added = { records: 0, characters: 0 };
  #pending = { records: 0, characters: 0 };
  #uncollected = 0;
  #isLarge: boolean;
  #uses: "what it did" | "little" | "all" = "what it did";

  constructor(db: Database, records: number) {
    this.#db = db;
    this.#records = records;
    this.#isLarge = records > few.records;
    // At once: what has grown is not taken back.
    if (!this.#isLarge) growYoungSpace(false);
  }

  /** A record was read. Answers whether those since the last batch make a batch. */
  add({ json }: Recorded): boolean {
    this.#records += 1;
    for (const counted of [this.#added, this.#pending]) {
      counted.records += 1;
      counted.characters += json.length;
    }
    this.#isLarge ||=
      this.#records > few.records ||
      json.length > few.text ||
      this.#added.characters > few.average * Math.max(this.#added.records, batches.little.records);
    const most = this.#isLarge ? batches.all : batches.little;
    return this.#pending.records >= most.records || this.#pending.characters >= most.characters;
  }

  /** Before a batch is stored, with none being stored. */
  async beforeBatch(): Promise<void> {
    this.#pending = { records: 0, characters: 0 };
    if (this.#isLarge) return this.#useAll();
    if (this.#uses !== "little") await this.#db.useLittle();
    this.#uses = "little";
    this.#uncollected += 1;
    if (this.#uncollected < collectEach) return;
    this.#uncollected = 0;
    collectGarbage();
  }

  /** Before the records are stored that made no batch. */
  async beforeRest(): Promise<void> {
    if (this.#isLarge && this.#db.usesLittle) await this.#useAll();
  }

  async #useAll(): Promise<void> {
    if (this.#uses === "all") return;
    await this.#db.useAll();
    await this.#db.oneThread();
    growYoungSpace(true);
    this.#uses = "all";
  }

  /** What follows needs the memory in which works were read, and where there are many, the cores. */
  async beforeFold(): Promise<void> {
    if (this.#uses === "what it did") return;
    collectGarbage();
    if (!this.#db.usesLittle) await this.#db.allThreads();
  }
}

/** After a change, however it ended. */
export function endOfLittle(): void {
  growYoungSpace(true);
}
