import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import type { Envelope } from "../../packages/writ/src/contract/index.ts";
import { prints } from "../fakes/advisor-programs.ts";
import { runLine } from "../support/terminal.ts";
import { type Bed, bedNone, bedThree, concluding, says } from "./bed.ts";

/** The words of a command line, as a shell splits them. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/((?:'[^']*'|\\'|[^\s'])+)/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|\\(.)/g, (_, quoted?: string, plain?: string) => quoted ?? plain ?? ""),
  );

/** Runs a line as it stands, by its JSON alone. */
async function run(bed: Bed, line: string): Promise<Envelope> {
  const [, ...words] = wordsOf(line);
  return (await runLine(bed.app.app, [...words, "--json"], { cwd: bed.root, env: bed.env })).envelope();
}

const nextOf = ({ error, data }: Envelope): string[] => {
  expect(error).toBeNull();
  return (data.next ?? []) as string[];
};

/** Fills in what a line leaves to the session: texts, how a check went, whom the experiment favours. */
function filled(line: string, favours: string): string {
  const choices: Record<string, string> = { outcome: "pass", favours };
  const fill = (value: unknown, field = ""): unknown => {
    if (value === "") return choices[field] ?? (field === "reference" ? "seen.txt" : `${field} of mine`);
    if (Array.isArray(value)) return value.map((one) => fill(one, field));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fill(member, key)]));
  };
  const words = wordsOf(line);
  const at = words.indexOf("--record") + 1;
  if (at === 0) return line;
  const record = fill(JSON.parse(words[at] ?? "")) as Record<string, unknown>;
  if (record.kind === "resolution") record.outcome = "seen";
  return `writ reasoning record --record '${JSON.stringify(record).replaceAll("'", "")}'`;
}

/** Goes on by the first line of every answer until none follows; says what was run, in short. */
async function followed(bed: Bed, first: Envelope, favours = "primary"): Promise<string[]> {
  const ran: string[] = [];
  for (let answer = first; ; ) {
    const [line] = nextOf(answer);
    if (line === undefined) return ran;
    const words = wordsOf(line);
    ran.push(
      words.includes("--record")
        ? String((JSON.parse(words.at(-1) ?? "") as { kind: string }).kind)
        : [...words.slice(2, 3), ...(words.includes("--dry-run") ? ["--dry-run"] : [])].join(" "),
    );
    if (ran.length > 20) return ran;
    answer = await run(bed, filled(line, favours));
  }
}

const assessment = {
  kind: "assessment",
  subject: "Where sessions live",
  materiality: "high",
  evidence: [{ kind: "file", reference: "seen.txt" }],
};

const standing = async (bed: Bed) => {
  const { state, next } = await bed.ok<{ state: { assessments: object[] }; next?: string[] }>(
    "reasoning.status",
  );
  return { assessment: state.assessments[0], next };
};

test("RS-1, RS-5, CT-28: with nobody to ask, what each answer says comes next leads to a validated conclusion", async () => {
  await using bed = bedNone();
  const first = await run(bed, `writ reasoning record --record '${JSON.stringify(assessment)}'`);
  expect(await followed(bed, first)).toEqual(["plan", "local_review", "conclusion", "validation"]);
  expect(await standing(bed)).toMatchObject({ assessment: { standing: "validated" } });
  await bed.ok("reasoning.check");
});

test("RS-1, RS-6, CT-28: with two who differ it leads through asking, dispute and experiment to a conclusion", async () => {
  await using bed = await bedThree();
  bed.alpha.does(prints(says("opposes", "the index is the bottleneck")));
  const first = await run(bed, `writ reasoning record --record '${JSON.stringify(assessment)}'`);
  expect(await followed(bed, first)).toEqual([
    "plan",
    "consult --dry-run",
    "consult",
    "disagreement",
    "resolution",
    "conclusion",
    "validation",
  ]);
  expect(await standing(bed)).toMatchObject({ assessment: { standing: "validated", answers: 2, debt: [] } });
  const { report } = await bed.ok<{ report: string }>("reasoning.status");
  expect(report).toContain("reviewed by alpha, beta: 2 advisors");
  await bed.ok("reasoning.check");
});

test("CT-28, RS-58: a line that is pasted without being filled in records nothing", async () => {
  await using bed = await bedThree();
  bed.alpha.does(prints(says("opposes")));
  const seen = new Set<string>();
  const paste = async (answer: Envelope) => {
    const lines = nextOf(answer).filter((line) => line.includes('""'));
    for (const line of lines) {
      seen.add(/"kind":"(\w+)"/.exec(line)?.[1] ?? "");
      expect(["E_BLANK_FIELD", "USAGE_ERROR"]).toContain((await run(bed, line)).error?.code);
    }
  };
  const a = await bed.assess("x", "high");
  const plan = await bed.call("reasoning.record", { record: { kind: "plan", assessment: a } });
  await paste(plan);
  const asked = await bed.call("reasoning.consult", { assessment: a });
  await paste(asked);
  const dispute = await run(bed, filled(nextOf(asked)[0] ?? "", "primary"));
  await paste(dispute);
  const settled = await run(bed, filled(nextOf(dispute)[0] ?? "", "primary"));
  await paste(settled);
  await paste(await run(bed, filled(nextOf(settled)[0] ?? "", "primary")));
  expect([...seen]).toEqual(["waiver", "disagreement", "conclusion", "resolution", "validation"]);
});

test("RS-105, CT-28: a check that failed names both ways out, and why a pass did not settle it", async () => {
  // Which commit came first is what git says.
  await using bed = bedNone({ env: { PATH: process.env.PATH ?? "" } });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: bed.root });
  const a = await bed.assess("x", "low");
  const k = await bed.record(concluding(a, { validation_plan: ["load"] }));
  const checked = async (check: string, outcome: string) => {
    const { data } = await bed.call("reasoning.record", {
      record: { kind: "validation", conclusion: k, check, outcome },
    });
    return data as { next?: string[]; reason?: string };
  };
  const bodies = (next: string[] = []) =>
    next.map((line) => JSON.parse(wordsOf(line).at(-1) ?? "") as Record<string, unknown>);
  // Outside git nothing tells before from after.
  const outside = await checked("load", "fail");
  expect(outside.reason).toMatch(
    /The check "load" failed, and outside git .*: conclude anew, with supersedes\./,
  );
  expect(bodies(outside.next)).toMatchObject([{ kind: "conclusion", supersedes: k }]);

  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "one");
  const again = await bed.assess("y", "low");
  const c = await bed.record(concluding(again, { validation_plan: ["load", "other"] }));
  const check = async (name: string, outcome: string) => {
    const { data } = await bed.call("reasoning.record", {
      record: { kind: "validation", conclusion: c, check: name, outcome },
    });
    return data as { next?: string[]; reason?: string };
  };
  await check("load", "fail");
  // The same commit, and another check, settle nothing.
  for (const [name, outcome] of [
    ["load", "pass"],
    ["other", "pass"],
  ] as const) {
    const { next, reason } = await check(name, outcome);
    expect(reason).toMatch(
      /The check "load" failed at [0-9a-f]{12}: let the same check pass at a later commit/,
    );
    expect(bodies(next)).toMatchObject([
      { kind: "validation", conclusion: c, check: "load", outcome: "" },
      { kind: "conclusion", assessment: again, supersedes: c },
    ]);
  }
  git("commit", "-q", "--allow-empty", "-m", "two");
  const settled = await check("LOAD", "pass");
  expect([settled.next, settled.reason]).toEqual([undefined, undefined]);
});

test("RS-104, CT-28: a conclusion that a check outside its plan validated still names what its plan left to check", async () => {
  await using bed = bedNone();
  const a = await bed.assess("x", "low");
  const k = await bed.record(concluding(a, { validation_plan: ["it's quick", "load"] }));
  await bed.record({ kind: "validation", conclusion: k, check: "something else", outcome: "pass" });
  const { assessment: one, next = [] } = await standing(bed);
  expect(one).toMatchObject({ standing: "validated" });
  const [first = "", second = ""] = next;
  expect(second).toBe(
    `writ reasoning record --record '{"kind":"validation","conclusion":"${k}","check":"load","outcome":""}'`,
  );
  // What the plan says is quoted as a shell takes it.
  expect(JSON.parse(wordsOf(first).at(-1) ?? "")).toMatchObject({ check: "it's quick" });
});

test("RS-117, CT-28: once all is settled, the status of an open task says to close it", async () => {
  await using bed = bedNone();
  await bed.ok("task.start", { id: "t" });
  const a = await bed.assess("x", "low");
  const open = await standing(bed);
  expect(open.next).toEqual([
    `writ reasoning record --record '{"kind":"conclusion","assessment":"${a}","decision":"","rationale":""}'`,
  ]);
  await bed.record(concluding(a, { validation_plan: [] }));
  expect((await standing(bed)).next).toEqual(["writ task close"]);
});

test("RS-83, CT-28: who gave no answer may be asked again until the attempts are used up", async () => {
  await using bed = await bedThree();
  bed.beta.says({ reply: { status: 418, body: {} } });
  bed.env.WRIT_REASONING_COOLDOWN_SECONDS = "0";
  const a = await bed.assess("x", "material", { capabilities: ["security_review"] });
  const again: boolean[] = [];
  for (let i = 0; i < 3; i++) {
    const { data } = await bed.call("reasoning.consult", { assessment: a });
    const next = (data.next ?? []) as string[];
    expect(next[0]).toContain('"kind":"local_review"');
    again.push(next.includes(`writ reasoning consult --assessment ${a}`));
  }
  expect(again).toEqual([true, true, false]);
});

test("RS-51, CT-28: a preview and a task that begins name the record to begin with, and blank it is refused", async () => {
  await using bed = bedNone();
  const plan = await bed.call("reasoning.plan", { materiality: "high", confidential: true });
  const started = await bed.call("task.start", { id: "t" });
  for (const [line = "", code] of [
    [nextOf(plan)[0], "E_BLANK_FIELD"],
    [nextOf(started)[1], "USAGE_ERROR"],
  ] as const)
    expect((await run(bed, line)).error?.code).toBe(code);
  const { data } = await run(bed, filled(nextOf(plan)[0] ?? "", "primary"));
  expect(data).toMatchObject({ record: { body: { materiality: "high", confidential: true } } });
});
