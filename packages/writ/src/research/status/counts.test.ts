import { expect, test } from "vitest";
import { libraryOf } from "../networks/papers.fixture.ts";
import { countsOf } from "./counts.ts";

test("RL-159: works that are cited and are no papers are counted once, and no more when they are papers or undone", async () => {
  const db = await libraryOf([
    { sourceId: "W1", year: 2001 },
    { sourceId: "s2:9", doi: "10.1/a:b", year: 1999, status: "rejected" },
    { doi: "10.1/x", seed: false, status: "accepted" },
  ]);
  await db.run(`
    INSERT INTO external_ids SELECT 's2', '9', id FROM papers WHERE source_id = 's2:9';
    DELETE FROM runs;
    INSERT INTO runs (run_id, seq, verb, state, started_at, writ_version, revoked_by, counts) VALUES
      ('rr_1', 1, 'seed', 'done', now(), '1', NULL, '{"saturation":0.5}'),
      ('rr_2', 2, 'chain', 'done', now(), '1', NULL, NULL), ('rr_3', 3, 'chain', 'done', now(), '1', 'rr_4', '{"saturation":1}');
    INSERT INTO referenced_but_not_fetched SELECT unnest(['W1', 'W2', 'doi:10.1/a:b', 'doi:10.1/x', 'doi:10.1/y', 's2:9', 's2:8']), 1, now(), 'rr_1';
    INSERT INTO referenced_but_not_fetched SELECT unnest(['W2', 'W1', 'doi:W1']), 2, now(), 'rr_2';
    INSERT INTO referenced_but_not_fetched VALUES ('W3', 3, now(), 'rr_3')`);
  expect(await countsOf(db)).toEqual({
    counts_by_status: { candidate: 1, accepted: 1, rejected: 1 },
    total_papers: 3,
    seeds: 2,
    merged: 0,
    referenced_not_fetched: 4,
    saturation: null,
    leastYear: 1999,
  });
  db.close();
});
