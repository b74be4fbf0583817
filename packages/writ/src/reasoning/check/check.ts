import { type Context, fail, type WritError } from "../../contract/index.ts";
import { adapterFacts } from "../advisors/table.ts";
import { missingAdapters } from "../catalogue/findings.ts";
import { openRoom, type Room } from "../settings/room.ts";
import { readIndex } from "../store/index-file.ts";
import { ownAgain } from "../store/refused.ts";
import { coupledFiles, providerIndependentModules } from "./coupling.ts";
import { ciFindings, claimFindings } from "./documents.ts";
import { type Finding, mergeFindings } from "./finding.ts";
import { checkRecords } from "./records.ts";

/** A check that ran, or why it did not. */
export interface Checked {
  name: string;
  status: "ok" | "warning" | "error" | "skipped";
  reason?: string;
}

export interface Verdict {
  ok: boolean;
  checks: Checked[];
  findings: Finding[];
}

type Looked = Finding[] | { skipped: string };

/** Every check, in order. None of them contacts anybody. */
const checks: readonly { name: string; look(room: Room): Looked | Promise<Looked> }[] = [
  {
    name: "settings",
    look: ({ faults }) =>
      faults.map(({ code, failure }) =>
        said(
          "settings",
          String(failure.details?.setting ?? failure.details?.source ?? code),
          `${failure.message} ${failure.cause}`,
        ),
      ),
  },
  { name: "catalogue", look: catalogueFindings },
  {
    name: "adapters",
    look: ({ tables }) =>
      missingAdapters(tables.catalogue, adapterFacts).map(({ id, message }) => ({
        ...said("adapters", id, message),
        ...place("advisors.yml", tables.lineOf("advisors.yml", id)),
      })),
  },
  {
    name: "coupling",
    async look() {
      const modules = await providerIndependentModules();
      return modules ? coupledFiles(modules) : { skipped: "the program is one bundle" };
    },
  },
  { name: "ci", look: ({ root, tables }) => ciFindings(root, tables.catalogue) },
  { name: "claims", look: ({ root, tables }) => claimFindings(root, tables.catalogue) },
  { name: "records", look: ({ ctx, root }) => checkRecords(ctx, root) },
];

export const checkNames: readonly string[] = checks.map(({ name }) => name);

function catalogueFindings({ tables }: Room): Finding[] {
  const broken = tables.broken?.failure;
  return [
    ...(broken ? [brokenTable(broken)] : []),
    ...tables.findings.map(({ level, file, line, subject, message }) => ({
      ...said("catalogue", subject, `${file}: ${subject} ${message}`),
      ...place(file, line),
      level,
    })),
  ];
}

function said(check: string, subject: string, message: string): Finding {
  return { check, level: "error", subject, message, rules: [check] };
}

function brokenTable({ message, details }: WritError["failure"]): Finding {
  const file = String(details?.file ?? "");
  return { ...said("catalogue", file, message), ...place(file, details?.line) };
}

const place = (file: string, line: unknown): { at?: string } =>
  typeof line === "number" ? { at: `${file}:${line}` } : {};

/** Runs the checks, or one of them. */
export async function examine(ctx: Context, only?: string): Promise<Verdict> {
  return judge(await openRoom(ctx), only);
}

async function judge(room: Room, only?: string): Promise<Verdict> {
  const verdict: Verdict = { ok: true, checks: [], findings: [] };
  for (const { name, look } of checks) {
    if (only !== undefined && only !== name) continue;
    const looked = await look(room);
    if ("skipped" in looked) {
      verdict.checks.push({ name, status: "skipped", reason: looked.skipped });
      continue;
    }
    const findings = mergeFindings(looked);
    const failed = findings.some(({ level }) => level === "error");
    verdict.checks.push({ name, status: failed ? "error" : findings.length > 0 ? "warning" : "ok" });
    verdict.findings.push(...findings);
    if (failed) verdict.ok = false;
  }
  return verdict;
}

/** The checks as a command: findings that are errors fail it, with everything beside. */
export async function checkReasoning(ctx: Context): Promise<Verdict & { retired: string[] }> {
  const room = await openRoom(ctx);
  const verdict = { ...(await judge(room)), retired: await retiredIn(room) };
  if (verdict.ok) return verdict;
  const errors = verdict.findings.filter(({ level }) => level === "error");
  const [first] = errors;
  throw fail("E_CHECK_FINDINGS", {
    message: `${errors.length === 1 ? "One thing is" : `${errors.length} things are`} not as they must be.`,
    cause: `${first?.check ?? ""}: ${first?.subject ?? ""}: ${first?.message ?? ""}.`,
    remediation: first ? remedyOf(first, room) : "",
    details: { findings: errors.length },
    data: { ...verdict },
  });
}

/** The consultations of advisors that are declared no more: told, and no fault. */
async function retiredIn({ root, tables }: Room): Promise<string[]> {
  const declared = new Set(tables.catalogue.advisors.map(({ id }) => id));
  const { index } = await readIndex(root);
  const gone = index.ofKind("consultation").filter(({ facts }) => !declared.has(facts.advisor ?? ""));
  return gone.map(({ id }) => id);
}

/** What helps against a finding: the place to correct, and where that is no file of the user's, what is known of it. */
function remedyOf({ check, subject, at, rules }: Finding, { faults }: Room): string {
  const table = /^(advisors|models|providers)\.yml/.exec(at ?? "")?.[1];
  if (table !== undefined) return `Correct ${at}; its form: writ schema ${table}`;
  if (check === "settings") return faults[0]?.failure.remediation ?? `Correct ${subject}.`;
  if (rules.includes("denied")) return `Make it yours again: ${ownAgain}`;
  if (check === "records")
    return `Look at ${subject}. No command changes a record: what was edited by hand comes back from a copy.`;
  return `Correct ${at ?? subject}.`;
}
