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
import { storeContract } from "./store.ts";

describe("store on SQLite", () => {
  storeContract(sqliteDatabase, sqliteAbilities);
});
describe("store on PGlite", () => {
  storeContract(pgliteDatabases(), pgliteAbilities);
});
describe.runIf(available("postgres", "store on PostgreSQL"))("store on PostgreSQL", () => {
  storeContract(postgresDatabase, postgresAbilities);
});
