import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { advisorProgram, prints } from "../fakes/advisor-programs.ts";
import { runLine } from "../support/terminal.ts";
import { alphaEntry, type Bed, bedNone, says } from "./bed.ts";

const guide = readFileSync(join(import.meta.dirname, "../../packages/writ/guides/reasoning.md"), "utf8");

/** The shell blocks below a heading. */
function blocksUnder(heading: string): string[] {
  const section = guide.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
}

/** What a shell would make of the guide's blocks, as far as they go; every other line is refused. */
class Shell {
  readonly #bed: Bed;
  readonly #variables: Record<string, string> = {};
  readonly #functions: Record<string, string> = {};
  /** What was printed last. */
  output = "";

  constructor(bed: Bed) {
    this.#bed = bed;
  }

  async paste(block: string): Promise<void> {
    for (const [part] of block.matchAll(/cat > .*<<END\n[\s\S]*?\nEND\n|\w+\(\) \{[\s\S]*?\}\n|.*\n/g))
      await this.#run(part);
  }

  async #run(part: string): Promise<void> {
    const text = /^cat > (\S+) <<END\n([\s\S]*)END\n$/.exec(part);
    const made = /^(\w+)\(\) \{\s*node -p '([^']*)'/.exec(part);
    const taken = /^(\w+)=\$\((writ .*) \| (\w+) ?(\w*)\)$/.exec(part.trim());
    if (text) writeFileSync(join(this.#bed.root, text[1] ?? ""), this.#expanded(text[2] ?? ""));
    else if (made) this.#functions[made[1] ?? ""] = made[2] ?? "";
    else if (taken) {
      await this.#writ(taken[2] ?? "");
      this.#variables[taken[1] ?? ""] = this.#filtered(taken[3] ?? "", taken[4] ?? "");
    } else if (part.startsWith("writ ")) await this.#writ(part.trim());
    else if (part.trim() !== "") throw new Error(`This shell does not know: ${part}`);
  }

  /** The last output through one of the functions, which are scripts of node. */
  #filtered(name: string, argument: string): string {
    const require = () => ({ readFileSync: () => this.output });
    const script = this.#functions[name] ?? "";
    return String(runInNewContext(script, { require, process: { argv: ["node", argument] } }));
  }

  #expanded(text: string): string {
    return text.replaceAll(/\$(\w+)/g, (_, name: string) => this.#variables[name] ?? "");
  }

  async #writ(line: string): Promise<void> {
    const [, ...words] = this.#expanded(line).split(" ");
    const { code, stdout, stderr } = await runLine(this.#bed.app.app, words, { cwd: this.#bed.root });
    if (code !== 0) throw new Error(`${line}: ${stderr}`);
    this.output = stdout;
  }
}

/** A workspace with the file that the guide cites, and these advisors. */
function bedWith(advisors: Readonly<Record<string, string>>): Bed {
  const entries = Object.keys(advisors).map((id) => ({
    ...alphaEntry,
    id,
    title: id,
    vendor: id,
    executable: id,
  }));
  const bed = bedNone({ advisors: entries });
  for (const [id, script] of Object.entries(advisors)) advisorProgram(bed.bin, id, script);
  const vendors = Object.keys(advisors).map((id) => ({ id, title: id }));
  bed.write("models.yml", JSON.stringify({ version: 1, vendors }));
  mkdirSync(join(bed.root, "src"), { recursive: true });
  bed.write("src/session.ts", "export {};\n");
  return bed;
}

const alone = blocksUnder("From end to end, with nobody to ask");
const opposed = blocksUnder("Where an answer opposes");
const stateOf = (bed: Bed) => bed.ok("reasoning.status", { task: "sessions" });

test("RS-5, WS-126: the guide's records, pasted one after the other, lead to a validated conclusion with nobody to ask", async () => {
  await using bed = bedWith({});
  const shell = new Shell(bed);
  const [begin = "", ...rest] = alone;
  await shell.paste(begin);
  expect(shell.output).toContain("decide_locally");
  for (const block of rest) await shell.paste(block);
  expect(shell.output).toContain("sessions is closed.");
  const { state, next } = await stateOf(bed);
  expect(state).toMatchObject({
    assessments: [{ standing: "validated" }],
    conclusions: [{ review: { basis: "local_review" }, checks_passed: 2 }],
  });
  expect(next).toBeUndefined();
});

test("RS-6, WS-126: and where an answer opposes, through dispute and experiment to a reviewed one", async () => {
  await using bed = bedWith({ one: prints(says("supports")), two: prints(says("opposes")) });
  const shell = new Shell(bed);
  for (const block of [alone[0] ?? "", ...opposed]) await shell.paste(block);
  expect((await stateOf(bed)).state).toMatchObject({
    assessments: [{ standing: "concluded", answers: 2 }],
    disagreements: [{ favours: "primary" }],
    conclusions: [{ review: { basis: "reviewed", review_count: 2 } }],
  });
});
