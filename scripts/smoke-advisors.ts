/**
 * Asks each advisor that this machine has one small question, and prints how the exchange ended. It contacts them and
 * may cost money, so it is run by hand:
 *
 *     npm run smoke:advisors [-- ID ...]
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp, thisMachine } from "../packages/writ/src/app/index.ts";

interface Result {
  advisor: string;
  status?: string;
  reason?: string;
  diagnostic?: string;
  answer?: { stance: string; conclusion: string };
}

const folder = mkdtempSync(join(tmpdir(), "writ-smoke-"));
writeFileSync(join(folder, "workspace.yml"), "name: smoke\nschema: writ/1\n");

/** Calls one capability on the temporary workspace, with all advisors denied but this one. */
async function callAlone<T>(
  capability: string,
  input: Record<string, unknown>,
  denied: readonly string[] = [],
): Promise<T> {
  const settings = { WRIT_REASONING_MODE: "standard", WRIT_ADVISORS_DISABLE: denied.join(",") };
  const app = createApp({ ...thisMachine(), env: { ...process.env, ...settings }, home: folder });
  const { data, error } = await app.execute({
    capability,
    surface: "cli",
    input,
    where: { flag: folder },
    base: folder,
    credential: { terminal: true },
    signal: new AbortController().signal,
  });
  await app.close();
  if (error) throw new Error(`${error.message} ${error.cause}`);
  return data as T;
}

async function ask(id: string, others: readonly string[]): Promise<Result | undefined> {
  const record = {
    kind: "assessment",
    subject: `Whether ${id} answers`,
    materiality: "material",
    hypothesis: "An index on the expiry column is enough to delete ten thousand expired sessions an hour.",
    facts: ["The table has one million rows."],
    evidence: [{ kind: "runtime", reference: "a smoke test" }],
  };
  const made = await callAlone<{ record: { id: string } }>("reasoning.record", { record }, others);
  const input = { assessment: made.record.id };
  const { results } = await callAlone<{ results: Result[] }>("reasoning.consult", input, others);
  return results[0];
}

async function main(wanted: readonly string[]): Promise<number> {
  if (process.env.CI) throw new Error("In CI nobody is asked.");
  const { advisors } = await callAlone<{ advisors: { id: string; status: string; reason: string }[] }>(
    "reasoning.advisors",
    {},
  );
  let failed = 0;
  for (const { id, status, reason } of advisors) {
    if (wanted.length > 0 && !wanted.includes(id)) continue;
    if (status !== "available") {
      console.log(`${id.padEnd(20)} not asked: ${reason}`);
      continue;
    }
    const others = advisors.map((one) => one.id).filter((one) => one !== id);
    const ended = await ask(id, others);
    if (ended?.status !== "completed") failed += 1;
    const said = ended?.answer ? `${ended.answer.stance}: ${ended.answer.conclusion}` : ended?.diagnostic;
    console.log(`${id.padEnd(20)} ${ended?.status ?? ended?.reason ?? "not selected"}  ${said ?? ""}`);
  }
  return failed > 0 ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
