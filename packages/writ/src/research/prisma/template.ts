import { csvLine, harmless } from "../export/csv.ts";
import { type Count, type Flow, onScreening, type Reason } from "./flow.ts";
import { reasonName, sourceName } from "./labels.ts";

/**
 * The columns of the template that the R package PRISMA2020 reads (Haddaway and others 2022,
 * doi:10.1002/cl2.1230). It knows rows by `data` and `box`, and reads NA as nothing.
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

/** Its rows; the last ones are what it has none for. It finds rows by parts of their names, which those do not hold. */
const rows = [
  ["NA", "node4", "prevstud", "Previous studies"],
  ["previous_studies", "node5", "box1", "Studies of the previous version of the review"],
  ["previous_reports", "NA", "box1", "Reports of these studies"],
  ["NA", "node6", "newstud", "Identification of new studies via databases and registers"],
  ["database_results", "node7", "box2", "Databases"],
  ["database_specific_results", "NA", "box2", "Each database"],
  ["register_results", "NA", "box2", "Registers"],
  ["register_specific_results", "NA", "box2", "Each register"],
  ["NA", "node16", "othstud", "Identification of new studies via other methods"],
  ["website_results", "node17", "box11", "Websites"],
  ["organisation_results", "NA", "box11", "Organisations"],
  ["citations_results", "NA", "box11", "Citation searching"],
  ["duplicates", "node8", "box3", "Duplicate records"],
  ["excluded_automatic", "NA", "box3", "Records marked as ineligible by automation tools"],
  ["excluded_other", "NA", "box3", "Records without a title"],
  ["records_screened", "node9", "box4", "Records screened"],
  ["records_excluded", "node10", "box5", "Records excluded"],
  ["dbr_sought_reports", "node11", "box6", "Reports sought for retrieval"],
  ["dbr_notretrieved_reports", "node12", "box7", "Reports not retrieved"],
  ["other_sought_reports", "node18", "box12", "Reports sought for retrieval"],
  ["other_notretrieved_reports", "node19", "box13", "Reports not retrieved"],
  ["dbr_assessed", "node13", "box8", "Reports assessed for eligibility"],
  ["dbr_excluded", "node14", "box9", "Reports excluded"],
  ["other_assessed", "node20", "box14", "Reports assessed for eligibility"],
  ["other_excluded", "node21", "box15", "Reports excluded"],
  ["new_studies", "node15", "box10", "New studies included in the review"],
  ["new_reports", "NA", "box10", "Reports of the new studies"],
  ["total_studies", "node22", "box16", "Studies included in the review"],
  ["total_reports", "NA", "box16", "Reports of all included studies"],
  ["identification", "node1", "identification", "Identification"],
  ["screening", "node2", "screening", "Screening"],
  ["included", "node3", "included", "Included"],
  ["writ_awaiting", "NA", "writ", "Records that await a decision"],
  ["writ_other_repeated", "NA", "writ", "Duplicate records (other methods)"],
  ["writ_other_without_title", "NA", "writ", "Records without a title (other methods)"],
  ["writ_other_screened", "NA", "writ", "Records screened (other methods)"],
  ["writ_other_records_out", "NA", "writ", "Records excluded (other methods)"],
] as const;
type Name = (typeof rows)[number][0];

/** The flow as that template has it; what is unknown, or was not asked, is an empty cell. */
export function templateText(flow: Flow): string {
  const values = valuesOf(flow);
  const lines = rows.map(([data, node, box, text]) => {
    const tooltip = node === "NA" ? "NA" : text;
    const n = values[data];
    return csvLine([data, node, box, text, text, tooltip, "", typeof n === "number" ? `${n}` : harmless(n)]);
  });
  return csvLine(templateColumns) + lines.join("");
}

function valuesOf({ boxes, reasons }: Flow): Partial<Record<Name, number | string | undefined>> {
  const { identified, removed, screened, awaiting, included, reports } = boxes;
  const isFollowed = identified.other > 0;
  const ofOther = (count: Count | undefined) => (isFollowed ? count?.other : undefined);
  return {
    database_results: identified.databases,
    database_specific_results: listed(
      Object.entries(identified.by_source).map(([word, { databases }]) => [sourceName(word), databases]),
    ),
    citations_results: ofOther(identified),
    duplicates: removed.duplicates.databases,
    excluded_other: removed.without_title.databases,
    records_screened: screened.databases,
    records_excluded: onScreening(boxes).databases,
    dbr_sought_reports: reports?.sought.databases,
    dbr_notretrieved_reports: reports?.not_retrieved.databases,
    other_sought_reports: ofOther(reports?.sought),
    other_notretrieved_reports: ofOther(reports?.not_retrieved),
    dbr_assessed: reports?.assessed.databases,
    dbr_excluded: listed(onReports(reasons, "databases")),
    other_assessed: ofOther(reports?.assessed),
    other_excluded: listed(onReports(reasons, "other")),
    new_studies: included.total,
    writ_awaiting: awaiting.total,
    writ_other_repeated: ofOther(removed.duplicates),
    writ_other_without_title: ofOther(removed.without_title),
    writ_other_screened: ofOther(screened),
    writ_other_records_out: ofOther(onScreening(boxes)),
  };
}

function onReports(reasons: readonly Reason[], of: "databases" | "other"): [string, number][] {
  return reasons.filter(({ stage }) => stage === "fulltext").map((one) => [reasonName(one.reason), one[of]]);
}

/** `name, number; name, number` of those above 0, with no separator in a name. */
function listed(counts: readonly [string, number][]): string | undefined {
  const shown = counts.filter(([, n]) => n > 0);
  if (shown.length === 0) return undefined;
  return shown.map(([name, n]) => `${name.replaceAll(/[,;\s]+/g, " ").trim()}, ${n}`).join("; ");
}
