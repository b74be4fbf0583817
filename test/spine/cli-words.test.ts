import { describe, expect, test } from "vitest";
import { type Command, WritError } from "../../packages/writ/src/contract/index.ts";
import { commands } from "../../packages/writ/src/generated/commands.ts";
import { parseArguments } from "../../packages/writ/src/surfaces/cli/arguments.ts";
import { helpText } from "../../packages/writ/src/surfaces/cli/help.ts";
import { runLine } from "../support/terminal.ts";
import { testApp } from "../support/test-app.ts";

const rows = commands as readonly Command[];

/** The error with which a line is refused. */
function refusal(line: string) {
  try {
    parseArguments(line.split(" "), rows);
  } catch (error) {
    if (error instanceof WritError) return error.toObject();
  }
  throw new Error(`${line} is not refused`);
}

describe("a word that is no command", () => {
  test("CT-22: within a group the commands of the group are named, and the nearest of them", () => {
    const { cause, remediation, details } = refusal("research red");
    expect(cause).toMatch(/^Commands of writ research are .*read, seed/);
    expect(cause).not.toContain("bootstrap");
    expect(remediation).toBe("Did you mean: writ research read");
    expect(details).toEqual({ unknown: "research red", nearest: "research read" });
    expect(refusal("research read tpo").remediation).toBe("Did you mean: writ research read top");
  });

  test("CT-22: the end of one command alone means that command, and a group can be meant too", () => {
    for (const [line, near] of [
      ["seed", "research seed"],
      ["research top", "research read top"],
      ["reserch", "research"],
      ["tokn lst", "token list"],
    ] as const)
      expect(refusal(line).remediation, line).toBe(`Did you mean: writ ${near}`);
    expect(refusal("research zzzzzzzz").remediation).toBe("See: writ research --help");
  });

  test("CT-22: a flag that a group does not have is refused", () => {
    expect(refusal("research --jsno")).toMatchObject({
      code: "USAGE_ERROR",
      remediation: "Did you mean --json? See: writ research --help",
    });
  });
});

test.each([
  ["ledger list --kinds x", "--kind"],
  ["ledger list --subjects x", "--subject"],
  ["reasoning consult --advisor x", "--advisors"],
  ["ledger list -n 5", "--limit"],
  ["research read top --count 5", "-n"],
  ["ledger list --actr x", "--actor"],
])("CT-22: %s is refused with the flag that was meant", (line, near) => {
  expect(refusal(line)).toMatchObject({
    details: { nearest: near },
    remediation: expect.stringContaining(near),
  });
});

test("CT-22: what is an argument and was given as a flag is shown in its place", () => {
  expect(refusal("token revoke --id tok_1").remediation).toBe(
    "Give it without the flag: writ token revoke ID",
  );
});

test("CT-26: help is asked for by the word too, before a command or behind a group", () => {
  for (const [line, path] of [
    ["help", []],
    ["help research seed", ["research", "seed"]],
    ["help token", ["token"]],
    ["research help", ["research"]],
  ] as const)
    expect(parseArguments(line.split(" "), rows), line).toEqual({ kind: "help", path });
  expect(refusal("help tokn").remediation).toBe("Did you mean: writ token");
});

test("CT-26: a flag of one letter has one dash", () => {
  const help = helpText(["research", "read", "top"], rows, { version: "1.2.3" });
  expect(help).toContain("-n N");
  expect(help).not.toContain("--n ");
  expect(parseArguments(["research", "read", "top", "-n", "5"], rows)).toMatchObject({ input: { n: 5 } });
});

test("CT-26: on a narrow terminal help is wrapped and nothing of it is cut", async () => {
  const paths = [[], ["research"], ...rows.map(({ path }) => path)];
  const wordsOf = (text: string) => text.split(/\s+/);
  for (const path of paths) {
    const wide = helpText(path, rows, { version: "1.2.3" });
    for (const columns of [20, 40, 70]) {
      const narrow = helpText(path, rows, { version: "1.2.3", columns });
      expect(wordsOf(narrow)).toEqual(wordsOf(wide));
      // A command line stays whole, so that it can be pasted; a word has no place to break.
      const long = narrow
        .split("\n")
        .filter((line) => line.length > columns && !/^ *writ /.test(line) && / /.test(line.trim()));
      expect(long).toEqual([]);
    }
  }
  await using it = testApp({ manifest: null });
  const asked = (env: Record<string, string>) =>
    runLine(it.app, ["bootstrap", "--help"], { cwd: it.root, env });
  expect((await asked({ COLUMNS: "20" })).stdout).not.toBe((await asked({})).stdout);
});

test("CT-24: behind a command or a group the manual is what is about it", async () => {
  interface Manual {
    commands: { command: string; error_codes: string[] }[];
    errors: { code: string }[];
    environment: unknown[];
  }
  await using it = testApp({ manifest: null });
  const manual = async (...words: string[]) => {
    const ran = await runLine(it.app, [...words, "--agent-manifest"], { cwd: it.root });
    expect(ran.code).toBe(0);
    return JSON.parse(ran.stdout) as Manual;
  };
  const whole = await manual();
  const group = await manual("token");
  expect(group.commands.map(({ command }) => command)).toEqual([
    "token create",
    "token list",
    "token revoke",
  ]);
  expect(group.environment).toEqual(whole.environment);
  const codes = group.errors.map(({ code }) => code);
  for (const { error_codes } of group.commands) expect(codes).toEqual(expect.arrayContaining(error_codes));
  const one = await manual("token", "create");
  expect(one.commands).toEqual([whole.commands.find(({ command }) => command === "token create")]);
  expect(JSON.stringify(one).length * 5).toBeLessThan(JSON.stringify(whole).length);
  const unknown = await runLine(it.app, ["tokn", "--agent-manifest", "--json"], { cwd: it.root });
  expect(unknown.envelope().error?.code).toBe("USAGE_ERROR");
});
