import type { Migration } from "./migration.ts";
import { first } from "./0001-first.ts";

/** Every migration, in order; the last one's version is the schema this program knows. */
export const migrations: readonly Migration[] = [first];
