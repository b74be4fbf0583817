import { type Kysely, sql } from "kysely";
import { migrations as known } from "../../../packages/writ/src/store/migrations/index.ts";

/** Where a process that migrates may be told to die. */
export type Point = "begun" | "half" | "between";

/** The schema's next two versions, which tell where they are. */
export function laterMigrations(at: (point: Point) => void): typeof known {
  return [
    ...known,
    {
      version: 2,
      name: "second",
      up: async (db: Kysely<unknown>) => {
        at("begun");
        await db.schema.alterTable("principals").addColumn("colour", "text").execute();
        await sql`update workspaces set name = 'renamed'`.execute(db);
        at("half");
        await db.schema.createTable("colours").addColumn("name", "text").execute();
      },
    },
    {
      version: 3,
      name: "third",
      up: async (db: Kysely<unknown>) => {
        await db.schema.alterTable("principals").addColumn("shape", "text").execute();
        at("between");
      },
    },
  ];
}
