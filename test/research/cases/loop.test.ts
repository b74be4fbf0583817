import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Database } from "../../../packages/writ/src/research/library/database.ts";
import { alpha, traps } from "../../fakes/openalex/works.ts";
import { textsOf } from "../prisma/texts.ts";
import { offersIn, wordsOf } from "../offers.ts";
import { bibtex, type Commands, openCommands } from "./commands.ts";

interface Offered {
  transition: string;
  command?: string;
}

describe("the loop, by command", () => {
  test("RL-43, RL-45, RL-3: each state names what may follow, and what it names runs", async () => {
    const { data, ask } = await openCommands(alpha);
    const offered = new Set<string>();
    const standing = async () => {
      const status = await data("research status");
      for (const line of offersIn(status)) offered.add(line);
      const transitions = status.transitions_available as string[];
      expect((status.commands_available as Offered[]).map(({ transition }) => transition)).toEqual(
        transitions,
      );
      return [status.loop_state, transitions, status.next_best_action];
    };
    const rest = ["build", "snapshot", "read", "validate", "reseed"];
    expect(await standing()).toEqual([null, ["seed"], "seed"]);
    await data("research seed --equation alpha");
    expect(await standing()).toEqual(["SEEDED", ["chain", "filter", ...rest], "chain"]);
    await data("research chain");
    expect(await standing()).toEqual(["FORAGED", ["filter", "build", "chain", ...rest.slice(1)], "build"]);
    await data("research curate filter --year-gte 2010");
    expect(await standing()).toEqual(["FILTERED", ["build", "filter", "chain", ...rest.slice(1)], "build"]);
    await data("research build");
    const built = ["BUILT", ["monitor", "export", "build", "filter", "chain", ...rest.slice(1)], "read"];
    expect(await standing()).toEqual(built);
    const still = [
      "research curate accept --ids W101",
      "research curate dump",
      "research read top",
      "research export --format csv",
      "research snapshot create",
    ];
    for (const line of still) await data(line);
    expect((await data("research status")).loop_state).toBe("BUILT");
    for (const line of offered) {
      const typed = wordsOf(line)
        .slice(1)
        .map((word) => `'${word}'`);
      const answer = await ask(typed.join(" "));
      expect([0, 2, 4], line).toContain(answer.exit_code);
    }
    // Each command that is offered runs, two dozen of them: on a busy machine that takes its time.
  }, 180_000);

  test("RL-144, RL-146, RL-148, RL-13: reading finds, counts and shows, and refuses what makes no sense", async () => {
    const { data, ask } = await openCommands(alpha);
    await data("research seed --equation alpha");
    expect(await data("research read list --query ALPHA --year 2020")).toMatchObject({ count: 1, total: 1 });
    expect(await ask("research read list --seeds --candidates")).toMatchObject({ exit_code: 1 });
    const { groups } = await data("research read stats --group-by year");
    expect((groups as { key: unknown }[]).map(({ key }) => key)).toEqual([2008, 2019, 2020, 2021]);
    expect(await ask("research read show --id nope")).toMatchObject({
      exit_code: 2,
      error: { code: "E_NOT_FOUND" },
    });
    expect(await ask("research read top -n 0")).toMatchObject({
      exit_code: 2,
      error: { code: "E_INVALID_VALUE" },
    });
    const { central } = await data("research read top");
    const leading = (central as { id: string; value: number }[]).filter(({ value }) => value === 1);
    expect(leading).toHaveLength(3);
    expect(leading.map(({ id }) => id)).toEqual(leading.map(({ id }) => id).toSorted());
  });

  test("RL-109: a filter and a chain are undone, and the undoing is, without a request", async () => {
    const { data, fake } = await openCommands(alpha);
    const statusOf = async (id: string) =>
      ((await data(`research read show --id ${id}`)).paper as { curation_status: string }).curation_status;
    await data("research seed --equation alpha");
    const chain = await data("research chain --direction forward");
    const filter = await data("research curate filter --year-gte 2010");
    expect(await statusOf("W104")).toBe("rejected");
    await data(`research curate undo --run ${String(filter.run_id)}`);
    expect(await statusOf("W104")).toBe("candidate");
    const asked = fake.requests.length;
    const undone = await data(`research curate undo --run ${String(chain.run_id)}`);
    expect(await data("research status")).toMatchObject({ total_papers: 4, loop_state: "SEEDED" });
    await data(`research curate undo --run ${String(undone.run_id)}`);
    expect(await data("research status")).toMatchObject({ total_papers: 8, loop_state: "FORAGED" });
    expect(fake.requests).toHaveLength(asked);
  });

  test("RL-162: a chained library is valid, and a word that another program wrote is found in its paper", async () => {
    const { data, ask, root } = await openCommands(alpha);
    await data("research seed --equation alpha");
    await data("research chain --direction forward");
    expect(await data("research validate")).toMatchObject({ valid: true, issues: [] });
    const db = await Database.open({ file: join(root, ".writ/research/library.duckdb") });
    await db.run("UPDATE papers SET curation_status = 'foo' WHERE source_id = 'W101'");
    db.close();
    const answer = await ask("research validate");
    expect(answer).toMatchObject({
      exit_code: 2,
      error: { code: "E_LIBRARY_INVALID" },
      data: { valid: false },
    });
    expect(answer.data.issues).toEqual(
      expect.arrayContaining([expect.objectContaining({ paper: "doi:be5ab312c7aebbec" })]),
    );
  });

  test("RL-171: papers that became one are cited under either name", async () => {
    const { data, ask } = await openCommands(traps);
    await data("research seed --equation trap");
    const { proposals } = await data("research curate duplicates --kind paper");
    const [{ proposal, drop } = { proposal: "", drop: "" }] = proposals as {
      proposal: string;
      drop: string;
    }[];
    const merged = await ask(`research curate merge --proposal ${proposal}`);
    expect(merged.error).toBeNull();
    const one = await data("explain paper:10.7777/P1");
    const other = await data(`explain paper:${drop}`);
    expect(one).toMatchObject({ title: expect.any(String), status: "candidate" });
    expect(other).toMatchObject({ title: one.title, status: one.status });
    expect(JSON.stringify(one)).toMatch(/trap.*rr_|rr_.*trap/);
    expect(JSON.stringify(other)).toContain('"resolved_from"');
    expect(await ask("explain paper:doi:0000000000000000")).toMatchObject({
      exit_code: 2,
      error: { code: "E_NOT_FOUND" },
    });
  });

  test("RL-118, RL-119, RL-120: the flow of a search, a file, a filter and a decision", async () => {
    const commands = await openCommands(alpha);
    const { data, write, root } = commands;
    write("k.bib", bibtex);
    await data("research seed --equation alpha");
    await data("research seed --from-bib k.bib");
    await data("research curate filter --year-gte 2010 --language en");
    const k2 = await idOf(commands, "Conf paper");
    await data(`research curate reject --ids ${k2} --reason 'off topic'`);
    await data("research export --format prisma --ids");
    const read = (name: string) => readFileSync(join(root, ".writ/research/exports", name), "utf8");
    const flow = JSON.parse(read("prisma.json"));
    expect(flow.boxes).toMatchObject({
      identified: {
        databases: 7,
        other: 0,
        total: 7,
        by_source: { openalex: { total: 4 }, bibtex: { total: 3 } },
      },
      removed: { total: 1, duplicates: { total: 0 }, without_title: { total: 1 } },
      screened: { total: 6 },
      excluded: { total: 2 },
      awaiting: { total: 4 },
      included: { total: 0 },
    });
    expect(flow.reasons.map((one: { reason: string; total: number }) => [one.reason, one.total])).toEqual([
      ["filter:year:gte:2010", 1],
      ["off topic", 1],
    ]);
    expect(flow.laws.every((one: { holds: boolean }) => one.holds)).toBe(true);
    expect(flow.behind.excluded).toContainEqual({ paper: k2, way: "databases", reason: "off topic" });
    expect(textsOf(read("prisma.svg"))).toEqual(
      expect.arrayContaining([
        "Records identified from databases (n = 7)",
        "OpenAlex (n = 4)",
        "BibTeX files (n = 3)",
        "Duplicate records (n = 0)",
        "Records without a title (n = 1)",
        "Records screened (n = 6)",
        "Records excluded (n = 2)",
        "Records that await a decision (n = 4)",
        "Studies included in the review (n = 0)",
      ]),
    );
    const steps = flow.filters.length;
    // The same file and the same search again identify nothing more; a filter adds to its log.
    await data("research seed --from-bib k.bib");
    await data("research seed --equation alpha");
    await data("research curate filter --year-gte 2010 --language en");
    await data("research export --format prisma");
    const again = JSON.parse(read("prisma.json"));
    expect(again.boxes).toEqual(flow.boxes);
    expect(again.filters.length).toBeGreaterThan(steps);
    expect(again).not.toHaveProperty("behind");
    expect(await data("research export --format prisma")).toMatchObject({ changed: false });
  });
});

async function idOf({ data }: Commands, title: string): Promise<string> {
  const { papers } = await data(`research read list --query '${title}'`);
  return (papers as { id: string }[])[0]?.id ?? "";
}
