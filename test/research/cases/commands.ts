import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Envelope } from "../../../packages/writ/src/contract/index.ts";
import { startOpenAlex } from "../../fakes/openalex/server.ts";
import type { FakeWork } from "../../fakes/openalex/works.ts";
import { type Ran, runLine } from "../../support/terminal.ts";
import { testApp } from "../../support/test-app.ts";
import { wordsOf } from "../offers.ts";

type Data = Record<string, unknown>;

/** A folder, the real program, and command lines as somebody types them; a service behind it. */
export interface Commands {
  /** The folder in which there may be workspaces. */
  folder: string;
  /** The workspace `ws` in it. */
  root: string;
  /** One line in `ws` (or where `at` says), as it is typed behind `writ`. */
  type(line: string, at?: Partial<{ cwd: string; env: Record<string, string> }>): Promise<Ran>;
  /** The same with `--json --quiet`, parsed. */
  ask(line: string, at?: Partial<{ cwd: string; env: Record<string, string> }>): Promise<Envelope>;
  /** The data of a line that must succeed. */
  data(line: string): Promise<Data>;
  /** Writes a file into `ws`. */
  write(name: string, text: string): void;
  fake: Awaited<ReturnType<typeof startOpenAlex>>;
}

/** Opens all that; with `init` there is a workspace of the research template. Gone at the end of the test. */
export async function openCommands(
  works: readonly FakeWork[] = [],
  { init = true }: { init?: boolean } = {},
): Promise<Commands> {
  const fake = await startOpenAlex(works);
  const it = testApp({
    manifest: null,
    env: { WRIT_OPENALEX_URL: fake.url, WRIT_RESEARCH_BACKOFF_MS: "0" },
  });
  onTestFinished(async () => {
    await fake.close();
    await it[Symbol.asyncDispose]();
  });
  const root = join(it.root, "ws");
  const type: Commands["type"] = (line, { cwd = root, env = {} } = {}) =>
    runLine(it.app, wordsOf(line), { cwd, env });
  const ask: Commands["ask"] = async (line, at) => (await type(`${line} --json --quiet`, at)).envelope();
  if (init) {
    const made = await ask("init ws --template research", { cwd: it.root });
    expect(made.error).toBeNull();
  }
  mkdirSync(root, { recursive: true });
  return {
    folder: it.root,
    root,
    type,
    ask,
    data: async (line) => {
      const answer = await ask(line);
      expect(answer.error, line).toBeNull();
      return answer.data;
    },
    write: (name, text) => writeFileSync(join(root, name), text),
    fake,
  };
}

export const bibtex = `@article{k1, title={A {Study} of Things}, author={Diaz, Carla and Ruiz, Ana}, journal={J One}, year={2020}, doi={https://doi.org/10.7777/X.1}, keywords={alpha; beta, gamma}}
@inproceedings{k2, title={Conf paper}, author={Chen, Bo}, booktitle={Proc Two}, year={2021}}
@misc{k3, author={Nobody}}
`;
