import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { adapterFacts } from "../../packages/writ/src/reasoning/advisors/table.ts";
import { reasoningSchemas } from "../../packages/writ/src/reasoning/surface/schemas.ts";
import { runLine } from "../support/terminal.ts";
import { advisorsYml, alphaEntry, type Bed, bedNone, concluding } from "./bed.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/reasoning.md"), "utf8");
const blocks = [...page.matchAll(/```(?:yaml|sh)\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
/** The printed files of this name, in their order. */
const printed = (name: string): string[] =>
  blocks.filter((block) => block.split("\n", 2).includes(`# ${name}`));

const posix = process.platform !== "win32";
const shown = async (bed: Bed, line: string): Promise<string> =>
  (await runLine(bed.app.app, line.split(" "), { cwd: bed.root, env: bed.env })).stdout;

describe("the adapters have names", () => {
  test("RS-97: the schema and the page name every adapter, with the transports it speaks", () => {
    const schema = JSON.stringify(reasoningSchemas().advisors);
    const rows = page
      .split("\n")
      .filter((line) => /^\| `[a-z-]+` \| .* \| `(?:api|cli|local_runtime)`/.test(line));
    const told = rows.map((row) => row.split("|").map((cell) => cell.trim().replaceAll("`", "")));
    expect(told.map(([, name, , transports]) => `${name}: ${transports}`).toSorted()).toEqual(
      Object.entries(adapterFacts)
        .map(([name, { transports }]) => `${name}: ${transports.join(", ")}`)
        .toSorted(),
    );
    for (const name of Object.keys(adapterFacts)) expect(schema).toContain(name);
  });

  test("RS-112: one that does not exist is named with its place, the nearest and all there are", async () => {
    await using bed = bedNone();
    bed.write(
      "advisors.yml",
      JSON.stringify({ version: 1, advisors: [{ ...alphaEntry, adapter: "codex-exe" }] }, null, 1),
    );
    const { error, data } = await bed.call("reasoning.check");
    expect(data.findings).toMatchObject([{ check: "adapters", subject: "alpha", at: "advisors.yml:4" }]);
    expect(error?.cause).toContain(
      '"codex-exe" does not exist; did you mean codex-exec? Known are openai-chat, ',
    );
    expect(error?.remediation).toBe("Correct advisors.yml:4; its form: writ schema advisors");
    const { warnings } = await bed.call("reasoning.advisors");
    expect(warnings.map(({ message }) => message).join()).toContain("did you mean codex-exec?");
    bed.write("advisors.yml", advisorsYml([{ ...alphaEntry, adapter: "telepathy-of-mine" }]));
    expect((await bed.call("reasoning.check")).error?.cause).toContain(
      '"telepathy-of-mine" does not exist. Known are ',
    );
  });
});

describe("what the page prints works when it is pasted", () => {
  test("RS-97, RS-24: the entries of the page pass the check", async () => {
    const [advisors = "", program = ""] = printed("advisors.yml");
    await using bed = bedNone();
    bed.write("models.yml", printed("models.yml")[0] ?? "");
    for (const [text, id] of [
      [advisors, "house-model"],
      [program, "house-program"],
    ] as const) {
      bed.write("advisors.yml", text);
      expect(await bed.ok("reasoning.check")).toMatchObject({ ok: true, findings: [] });
      const told = await bed.ok<{ advisors: { id: string }[] }>("reasoning.advisors");
      expect(told.advisors.map((one) => one.id)).toContain(id);
    }
  });

  test("RS-24: without the vendor's table the check names file and line, and what to do is not the check again", async () => {
    await using bed = bedNone();
    bed.write("advisors.yml", printed("advisors.yml")[0] ?? "");
    const { error } = await bed.call("reasoning.check");
    expect(error?.cause).toContain("has a vendor that names no credential variable");
    expect(error?.remediation).toBe("Correct advisors.yml:5; its form: writ schema advisors");
  });

  test.runIf(posix)("RS-96: the program of the page is asked and answers", async () => {
    await using bed = bedNone();
    const file = join(bed.bin, "house-advisor");
    writeFileSync(file, printed("house-advisor")[0] ?? "");
    chmodSync(file, 0o755);
    bed.env.PATH = `${bed.bin}:/usr/bin:/bin`;
    bed.env.WRIT_ADVISORS_DISABLE = "gemini,codex,claude-code,ollama,lmstudio,llamacpp";
    bed.write("advisors.yml", printed("advisors.yml")[1] ?? "");
    const assessment = await bed.assess("Where sessions live", "material");
    const { results } = await bed.ok<{ results: object[] }>("reasoning.consult", { assessment });
    expect(results).toMatchObject([
      {
        advisor: "house-program",
        state: "answered",
        answer: { conclusion: "Measure it first.", stance: "alternative", falsifiers: ["it is fast enough"] },
      },
    ]);
  });
});

test("RS-112: what helps against a finding is its place, never the check again", async () => {
  await using bed = bedNone({ advisors: [alphaEntry] });
  bed.write("README.md", "One\nrequires Alpha\n");
  expect((await bed.call("reasoning.check")).error?.remediation).toBe("Correct README.md:2.");
  bed.env.WRIT_REASONING_MODE = "stric";
  expect((await bed.call("reasoning.check")).error?.remediation).toContain("Use strict");
});

test("RS-105: a check that the validation plan does not name counts, and the answer says so with the nearest", async () => {
  await using bed = bedNone();
  const a = await bed.assess("x", "low");
  const conclusion = await bed.record(concluding(a, { validation_plan: ["load suite", "review"] }));
  const reasonOf = async (check: string, outcome: string) =>
    (
      await bed.ok<{ reason?: string }>("reasoning.record", {
        record: { kind: "validation", conclusion, check, outcome },
      })
    ).reason;
  expect(await reasonOf("Load  suite", "pass")).toBeUndefined();
  expect(await reasonOf("a walk in the park", "pass")).toBe(
    'The validation plan names no check "a walk in the park".',
  );
  expect(await reasonOf("load suit", "fail")).toMatch(
    /^The validation plan names no check "load suit"\. The nearest there is "load suite"\. The check "load suit" failed/,
  );
});

test("RS-117: with no task open the status says so, and names the task that was worked on last", async () => {
  await using bed = bedNone();
  expect(await shown(bed, "reasoning status")).toBe(
    "No task is open, and nothing was recorded outside one.\n",
  );
  for (const id of ["old", "newer"]) {
    await bed.ok("task.start", { id });
    await bed.record({ kind: "attempt", attempt: `tried ${id}`, observed_failure: "broke" });
    bed.clock.seconds += 60;
    await bed.ok("task.close");
  }
  const told = await bed.ok<{ next?: string[] }>("reasoning.status");
  expect(told.next).toEqual(["writ reasoning status --task newer"]);
  expect(await shown(bed, "reasoning status")).toContain("Next  writ reasoning status --task newer");
  expect(await shown(bed, "reasoning status --task newer")).toContain("tried newer");
});

test("RS-109, RS-110: numbers and kinds are told in words that fit; a reference gives the data of a record", async () => {
  await using bed = bedNone();
  const a = await bed.assess("x", "low");
  const conclusion = await bed.record(concluding(a));
  await bed.record({ kind: "validation", conclusion, check: "run the suite", outcome: "pass" });
  const { report } = await bed.ok<{ report: string }>("reasoning.status");
  expect(report).toContain("; 1 check passed, 0 failed)");
  const wrong = async (record: object) => (await bed.call("reasoning.record", { record })).error?.message;
  expect(await wrong({ kind: "assessment", subject: "x", materiality: "big" })).toContain(
    "/materiality of an assessment is",
  );
  expect(await wrong({ kind: "attempt", attempted: "x" })).toMatch(/(?:An|of an) attempt/);
  const { workspace: _, ...explained } = await bed.ok("reasoning.explain", { id: conclusion });
  expect(await bed.ok("explain", { ref: `record:${conclusion}` })).toMatchObject({
    record: explained.record,
    chain: explained.chain,
  });
});
