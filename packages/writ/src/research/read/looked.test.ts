import { expect, test } from "vitest";
import { libraryOf } from "../networks/papers.fixture.ts";
import { look } from "./looked.ts";

test("RL-148: a coupling network of too many pairs is left to a build, which is named", async () => {
  const db = await libraryOf(
    Array.from({ length: 7000 }, (_, k) => ({ sourceId: `W${1000 + k}`, references: ["W1"] })),
  );
  const looked = await look(db, "/nowhere", { n: 10, by: "degree", by_community: false, fields: [] });
  expect(looked).toMatchObject({
    name: null,
    absent: { reason: expect.stringMatching(/^24,496,500 pairs/), fix_command: "writ research build" },
  });
  db.close();
});
