import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseArguments } from "../../packages/writ/src/surfaces/cli/arguments.ts";
import { workflows } from "../../packages/writ/src/workspace/shipped/workflows.ts";
import { testApp } from "../support/test-app.ts";

const shipped = join(import.meta.dirname, "../../packages/writ");

/** The words of one command line, as a shell splits them; quotes are as simple as in our own texts. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}

/** Every command line of writ in a text: whole lines of shell blocks, and what stands between backticks. */
function commandsIn(text: string): string[] {
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = ""]) => block.split("\n"));
  const inline = [...text.replaceAll(/```[\s\S]*?```/g, "").matchAll(/`(writ [^`]+)`/g)].map(
    ([, line = ""]) => line,
  );
  return [...blocks, ...inline].filter((line) => line.startsWith("writ "));
}

/** The lines that the command line would refuse, each with why. */
async function refused(lines: readonly string[]): Promise<string[]> {
  await using it = testApp({ manifest: null });
  return lines.flatMap((line) => {
    try {
      parseArguments(wordsOf(line).slice(1), it.app.commands.rows);
      return [];
    } catch (error) {
      return [`${line}: ${(error as Error).message}`];
    }
  });
}

const guides = readdirSync(join(shipped, "guides")).map(
  (file) => [file, readFileSync(join(shipped, "guides", file), "utf8")] as const,
);

test("WC-A7, WS-126: every guide that ships is listed and has its text, well over 100 characters", async () => {
  await using it = testApp({ manifest: null });
  const list = await it.call("guide");
  const topics = (list.data.topics as { topic: string; title: string }[]).map(({ topic }) => topic);
  expect(topics.slice(0, 7)).toEqual([
    "quickstart",
    "discover",
    "init",
    "conflicts",
    "ledger",
    "tokens",
    "mcp",
  ]);
  expect(topics).toEqual(expect.arrayContaining(["research", "reasoning"]));
  expect(topics.filter((topic) => topic !== "research").toSorted()).toEqual(
    guides.map(([file]) => file.replace(".md", "")).toSorted(),
  );
  for (const topic of topics) {
    const { data } = await it.call("guide", { topic });
    expect(data).toMatchObject({ topic });
    expect(String(data.text).length).toBeGreaterThan(500);
  }
});

test("WC-A3, WS-126: an unknown topic lists those there are", async () => {
  await using it = testApp({ manifest: null });
  const { error } = await it.call("guide", { topic: "qickstart" });
  expect(error).toMatchObject({
    code: "E_UNKNOWN_TOPIC",
    exit_code: 1,
    remediation: "Name one of them: writ guide quickstart",
  });
  expect(error?.details?.available).toContain("ledger");
});

describe("every command line that Writ shows parses", () => {
  test.each(guides)("WS-126: in the guide %s, which shows some", async (_file, text) => {
    const lines = commandsIn(text);
    expect(lines.length).toBeGreaterThan(1);
    expect(await refused(lines)).toEqual([]);
  });

  test.each(workflows)("CT-24: in the manual's workflow: $title", async ({ steps }) => {
    expect(steps.length).toBeGreaterThan(2);
    expect(await refused(steps)).toEqual([]);
  });

  test("WS-128: in the skill that ships", async () => {
    const skill = readFileSync(join(shipped, "skills/writ/SKILL.md"), "utf8");
    const lines = commandsIn(skill).filter((line) => !line.includes("COMMAND"));
    expect(lines.length).toBeGreaterThan(5);
    expect(await refused(lines)).toEqual([]);
  });

  test("a line that would be refused is noticed", async () => {
    expect(await refused(["writ init demo --tmplate x"])).toHaveLength(1);
  });
});

test("WS-126: the quickstart does what it says", async () => {
  await using it = testApp({ manifest: null, env: { WRIT_OFFLINE: "1" } });
  const [, quickstart = ""] = guides.find(([file]) => file === "quickstart.md") ?? [];
  let base = it.root;
  for (const line of [...quickstart.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = ""]) =>
    block.trim().split("\n"),
  )) {
    const [first = "", ...rest] = wordsOf(line);
    if (first === "cd") base = join(base, rest[0] ?? "");
    if (first !== "writ") continue;
    const asked = parseArguments(rest, it.app.commands.rows);
    if (asked.kind !== "call") throw new Error(`${line} is no call`);
    const answer = await it.call(asked.command.id, asked.input, { base, where: { cwd: base } });
    expect(answer.error).toBeNull();
  }
  expect(readFileSync(join(base, "AGENTS.md"), "utf8")).toContain("be-brief");
});
