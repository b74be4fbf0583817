import { copyFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Benchmark, interleave } from "./harness.ts";
import { makeBed } from "./support/stacks.ts";
import { command, run, writ } from "./support/writ.ts";

// Large enough that the copy is what is measured, and not the start of a program.
const rows = 40_000;

/** An online backup against copying the same file. */
export const benchmark: Benchmark = {
  name: "store-backup",
  about: "writ store backup against a copy of the file",
  async run({ runs }) {
    using bed = makeBed({ stacks: 1, filesPerStack: 1 });
    const place = bed.workspace("large");
    writ(["token", "create"], place);
    const file = join(place.cwd, ".writ/writ.db");
    fill(file);
    const out = join(place.cwd, "copy.db");
    const prepare = () => rmSync(out, { force: true });
    // The backup is on the disk when it says so, and a copy that is not would be compared with less.
    const copy = `const fs = require("node:fs");
      fs.copyFileSync(${JSON.stringify(file)}, ${JSON.stringify(out)});
      fs.fsyncSync(fs.openSync(${JSON.stringify(out)}, "r+"));`;
    const samples = await interleave(
      {
        writ: {
          prepare,
          work: () => run(process.execPath, command("store", "backup", "--out", "copy.db"), place),
        },
        node: { prepare, work: () => run(process.execPath, ["-e", copy], place) },
        file: { prepare, work: () => copyFileSync(file, out) },
      },
      { runs },
    );
    const size = `${Math.round(statSync(file).size / 2 ** 20)} MiB`;
    return [
      {
        what: "writ store backup",
        unit: "ms",
        writ: samples.writ,
        peer: { what: `copyFile and fsync of ${size}, by a node started for it`, samples: samples.node },
        target: { kind: "ratio", atMost: 3 },
      },
      {
        what: "writ store backup",
        unit: "ms",
        writ: samples.writ,
        peer: { what: `copyFile of ${size}, not flushed`, samples: samples.file },
      },
    ];
  },
};

/** Answers kept for idempotency keys are the rows that nothing else refers to. */
function fill(file: string): void {
  using database = new DatabaseSync(file);
  const { workspace_id: workspace } = database.prepare("select workspace_id from tokens").get() as {
    workspace_id: string;
  };
  const insert = database.prepare(
    "insert into replays (workspace_id, key, actor, capability, input_hash, answer, created_at, expires_at) values (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  database.exec("begin");
  for (let i = 0; i < rows; i++) {
    const answer = JSON.stringify({ changed: true, text: `answer ${i} `.repeat(180) });
    insert.run(
      workspace,
      `key-${i}`,
      "user:ana",
      "token.create",
      String(i).padStart(64, "0"),
      answer,
      "2026-01-01T00:00:00.000Z",
      "2999-01-01T00:00:00.000Z",
    );
  }
  database.exec("commit; pragma wal_checkpoint(truncate)");
}
