import type { Answer, Data } from "../api/read.ts";
import { Card } from "../parts/card.tsx";
import { type Fact, Facts } from "../parts/facts.tsx";
import { listed, words } from "../words.ts";

type Reading = Data<"/v1/status">;
type Drift = Reading["files_drift"][number];
type Stack = Reading["stacks"][number];

export function Status({ answer: { ok, data, error } }: { answer: Answer<"/v1/status"> }) {
  const { tone, text } = ok ? headlineOf(data) : { tone: "bad", text: error.message };
  const facts: readonly Fact[] = ok
    ? factsOf(data)
    : [
        ["Why", error.cause],
        ["What to do", error.remediation],
      ];
  return (
    <Card title="Workspace">
      <p id="headline" className="headline" data-tone={tone}>
        {text}
      </p>
      <Facts id="status" facts={facts} />
    </Card>
  );
}

/** A file that its user edited: a choice, and no fault. */
const isKept = ({ kind }: Drift): boolean => kind === "edited" || kind === "orphan_edited";

function headlineOf(data: Reading): { tone: "good" | "bad"; text: string } {
  const kept = data.files_drift.filter(isKept).length;
  if (!data.has_lock) return { tone: "bad", text: `${data.name} has not been made yet.` };
  if (!data.summary.in_sync && !isOnlyKept(data))
    return { tone: "bad", text: `${data.name} differs from what it declares.` };
  return { tone: "good", text: `${data.name} is as it declares${kept > 0 ? `; ${keptWords(kept)}` : ""}.` };
}

/** Whether files that are kept are all that differs. */
function isOnlyKept({ summary, files_drift: drift }: Reading): boolean {
  const others = drift.filter((one) => !isKept(one) && one.kind !== "extra" && one.kind !== "linked");
  return others.length + summary.stacks_out_of_sync + summary.repos_dirty_or_drifted === 0;
}

const keptWords = (count: number): string =>
  count === 1 ? "1 file edited here, kept" : `${count} files edited here, kept`;

function factsOf({ workspace, stacks, repos, files_drift: drift, summary }: Reading): Fact[] {
  const kept = drift.filter(isKept).map(({ path }) => path);
  const changed = drift.filter((one) => !isKept(one));
  const { files_drift_count: _, ...counts } = summary;
  const facts: (Fact | false)[] = [
    workspace !== undefined && ["Folder", workspace.root],
    stacks.length > 0 && ["Stacks", stacks.map(stackWords).join("; ")],
    repos.length > 0 && ["Repositories", repos.map(({ path }) => path).join(", ")],
    kept.length > 0 && ["Edited here", listed(kept, 5)],
    changed.length > 0 && [
      "Files",
      listed(
        changed.map(({ path, kind }) => `${path} (${words(kind).toLowerCase()})`),
        5,
      ),
    ],
    ...Object.entries(counts).map(([name, count]): Fact | false =>
      typeof count === "number" && count > 0 ? [words(name), String(count)] : false,
    ),
  ];
  return facts.filter((fact) => fact !== false);
}

/** A stack with where it comes from: a folder of the workspace, or a repository and its branch. */
function stackWords({ label, repo, ref }: Stack): string {
  if (repo.startsWith("path:")) return `${label} (the folder ${repo.slice(5)})`;
  const branch = ref ? ref.replace(/^refs\/(heads|tags)\//, "") : "";
  return label + (repo === label ? "" : ` from ${repo}`) + (branch ? `, ${branch}` : "");
}
