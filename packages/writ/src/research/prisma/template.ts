import { stringify } from "csv-stringify/sync";
import { guarded } from "../formats/curation-csv.ts";
import { type Count, type Flow, onScreening, type Reason } from "./flow.ts";
import { sourceName } from "./labels.ts";

/**
 * The columns of the template that the R package PRISMA2020 reads (Haddaway and others 2022,
 * doi:10.1002/cl2.1230). It knows rows by `data` and `box`; in `data`, `node` and `tooltips` it reads NA as nothing.
 */
export const templateColumns = [
  "data",
  "node",
  "box",
  "description",
  "boxtext",
  "tooltips",
  "url",
  "n",
] as const;

/** A number; null is unknown or not asked, an empty cell. */
type Cell = number | string | null;
type Line = [data: string, node: string, box: string, text: string, n: Cell];

/** The flow as that template has it; what Writ does not know is empty. */
export function templateText(flow: Flow): string {
  const rows = lines(flow).map(([data, node, box, text, n]) => [
    data,
    node,
    box,
    text,
    text,
    node === "NA" ? "NA" : text,
    null,
    typeof n === "string" ? guarded(n) : n,
  ]);
  return stringify([[...templateColumns], ...rows], { record_delimiter: "\n" });
}

function lines({ boxes, reasons }: Flow): Line[] {
  const { identified, removed, screened, awaiting, included, reports } = boxes;
  const isFollowed = identified.other > 0;
  const ofOther = (count: Count | undefined) => (isFollowed && count ? count.other : null);
  const sources = Object.entries(identified.by_source).filter(([, { databases }]) => databases > 0);
  return [
    ["NA", "node4", "prevstud", "Previous studies", null],
    ["previous_studies", "node5", "box1", "Studies of the previous version of the review", null],
    ["previous_reports", "NA", "box1", "Reports of these studies", null],
    ["NA", "node6", "newstud", "Identification of new studies via databases and registers", null],
    ["database_results", "node7", "box2", "Databases", identified.databases],
    [
      "database_specific_results",
      "NA",
      "box2",
      "Each database",
      listed(sources.map(([word, { databases }]) => [sourceName(word), databases])),
    ],
    ["register_results", "NA", "box2", "Registers", null],
    ["register_specific_results", "NA", "box2", "Each register", null],
    ["NA", "node16", "othstud", "Identification of new studies via other methods", null],
    ["website_results", "node17", "box11", "Websites", null],
    ["organisation_results", "NA", "box11", "Organisations", null],
    ["citations_results", "NA", "box11", "Citation searching", ofOther(identified)],
    ["duplicates", "node8", "box3", "Duplicate records", removed.duplicates.databases],
    ["excluded_automatic", "NA", "box3", "Records marked as ineligible by automation tools", null],
    ["excluded_other", "NA", "box3", "Records without a title", removed.without_title.databases],
    ["records_screened", "node9", "box4", "Records screened", screened.databases],
    ["records_excluded", "node10", "box5", "Records excluded", onScreening(boxes).databases],
    [
      "dbr_sought_reports",
      "node11",
      "box6",
      "Reports sought for retrieval",
      reports?.sought.databases ?? null,
    ],
    [
      "dbr_notretrieved_reports",
      "node12",
      "box7",
      "Reports not retrieved",
      reports?.not_retrieved.databases ?? null,
    ],
    ["other_sought_reports", "node18", "box12", "Reports sought for retrieval", ofOther(reports?.sought)],
    [
      "other_notretrieved_reports",
      "node19",
      "box13",
      "Reports not retrieved",
      ofOther(reports?.not_retrieved),
    ],
    [
      "dbr_assessed",
      "node13",
      "box8",
      "Reports assessed for eligibility",
      reports?.assessed.databases ?? null,
    ],
    ["dbr_excluded", "node14", "box9", "Reports excluded", listed(onReports(reasons, "databases"))],
    ["other_assessed", "node20", "box14", "Reports assessed for eligibility", ofOther(reports?.assessed)],
    [
      "other_excluded",
      "node21",
      "box15",
      "Reports excluded",
      listed(isFollowed ? onReports(reasons, "other") : []),
    ],
    ["new_studies", "node15", "box10", "New studies included in the review", included.total],
    ["new_reports", "NA", "box10", "Reports of the new studies", null],
    ["total_studies", "node22", "box16", "Studies included in the review", null],
    ["total_reports", "NA", "box16", "Reports of all included studies", null],
    ["identification", "node1", "identification", "Identification", null],
    ["screening", "node2", "screening", "Screening", null],
    ["included", "node3", "included", "Included", null],
    // What the template has no row for. The package finds rows by parts of their names: these have none of those.
    ["writ_awaiting", "NA", "writ", "Records that await a decision", awaiting.total],
    ["writ_other_repeated", "NA", "writ", "Duplicate records (other methods)", ofOther(removed.duplicates)],
    [
      "writ_other_without_title",
      "NA",
      "writ",
      "Records without a title (other methods)",
      ofOther(removed.without_title),
    ],
    ["writ_other_screened", "NA", "writ", "Records screened (other methods)", ofOther(screened)],
    ["writ_other_records_out", "NA", "writ", "Records excluded (other methods)", ofOther(onScreening(boxes))],
  ];
}

function onReports(reasons: readonly Reason[], of: "databases" | "other"): [string, number][] {
  return reasons
    .filter((one) => one.stage === "fulltext" && one[of] > 0)
    .map((one) => [one.reason.replace(/^fulltext:\s*/, ""), one[of]]);
}

/** `name, number; name, number`, with no separator in a name. */
function listed(counts: readonly [string, number][]): string | null {
  if (counts.length === 0) return null;
  return counts.map(([name, n]) => `${name.replaceAll(/[,;\s]+/g, " ").trim()}, ${n}`).join("; ");
}
