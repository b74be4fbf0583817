import { describe } from "vitest";
import { available } from "../available.ts";
import {
  pgliteAbilities,
  pgliteDatabases,
  postgresAbilities,
  postgresDatabase,
  sqliteAbilities,
  sqliteDatabase,
} from "./databases.ts";
import { ledgerContract } from "./ledger.ts";

describe("ledger on SQLite", () => {
  ledgerContract(sqliteDatabase, sqliteAbilities);
});
describe("ledger on PGlite", () => {
  ledgerContract(pgliteDatabases(), pgliteAbilities);
});
describe.runIf(available("postgres", "ledger on PostgreSQL"))("ledger on PostgreSQL", () => {
  ledgerContract(postgresDatabase, postgresAbilities);
});
