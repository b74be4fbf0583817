import { describe } from "vitest";
import { available } from "../available.ts";
import { postgresDatabase, sqliteDatabase } from "./databases.ts";
import { processesContract } from "./ledger-processes.ts";

describe("programs at once on SQLite", () => {
  processesContract(sqliteDatabase);
});
describe.runIf(available("postgres", "programs at once on PostgreSQL"))(
  "programs at once on PostgreSQL",
  () => {
    processesContract(postgresDatabase);
  },
);
