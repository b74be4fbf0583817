import { nearest } from "../../contract/index.ts";
import type { Transport } from "../model/words.ts";
import { type Advisor, type Catalogue, findModel, type TableSources } from "./merge.ts";

/** Something wrong in the reference tables. */
export interface TableFinding {
  level: "error" | "warning";
  file: "advisors.yml" | "models.yml" | "providers.yml";
  /** Of the entry, where a workspace's file has it. */
  line?: number;
  subject: string;
  message: string;
}

/** What the pure code may know of the adapters without loading one. */
export type AdapterFacts = Readonly<
  Record<string, { transports: readonly Transport[]; sealed: boolean; default_address?: string }>
>;

/** Advisors whose adapter Writ does not have, with the names of those it has. */
export function missingAdapters(
  { advisors }: Catalogue,
  adapters: AdapterFacts,
): { id: string; message: string }[] {
  const known = Object.keys(adapters);
  return advisors
    .filter(({ adapter, transport }) => transport !== "peer" && !known.includes(adapter))
    .map(({ id, adapter }) => {
      const near = nearest(adapter, known);
      const meant = near === undefined ? "." : `; did you mean ${near}?`;
      return { id, message: `its adapter "${adapter}" does not exist${meant} Known are ${known.join(", ")}` };
    });
}

/** Everything that is wrong in the merged tables, in their order. */
export function tableFindings(
  catalogue: Catalogue,
  { sources, adapters }: { sources: TableSources; adapters: AdapterFacts },
): TableFinding[] {
  return [
    ...duplicates(sources),
    ...addressFindings(sources),
    ...catalogue.advisors.flatMap((advisor) => advisorFindings(advisor, { catalogue, adapters })),
    ...catalogue.models.flatMap((model) => {
      if (model.vendor === undefined) return [at("models.yml", model.id, "names no vendor")];
      const dangling = !catalogue.vendors.some(({ id }) => id === model.vendor);
      return dangling
        ? [at("models.yml", model.id, `names the vendor "${model.vendor}", which no table has`)]
        : [];
    }),
    ...catalogue.clients.flatMap(({ id, vendor }) =>
      vendor !== undefined && !catalogue.vendors.some((one) => one.id === vendor)
        ? [at("providers.yml", id, `names the vendor "${vendor}", which no table has`)]
        : [],
    ),
  ];
}

function at(file: TableFinding["file"], subject: string, message: string): TableFinding {
  return { level: "error", file, subject, message };
}

function duplicates({ own }: TableSources): TableFinding[] {
  const lists = [
    ["advisors.yml", own.advisors?.advisors],
    ["advisors.yml", own.advisors?.capabilities],
    ["providers.yml", own.clients?.providers],
    ["models.yml", own.models?.vendors],
    ["models.yml", own.models?.models],
  ] as const;
  return lists.flatMap(([file, entries = []]) => {
    const ids = entries.map(({ id }) => id);
    const twice = new Set(ids.filter((id, i) => ids.indexOf(id) !== i));
    return [...twice].map((id) => at(file, id, "is declared twice"));
  });
}

function addressFindings({ own }: TableSources): TableFinding[] {
  return (own.advisors?.advisors ?? [])
    .filter(({ base_url }) => base_url !== undefined)
    .map(({ id }) =>
      at("advisors.yml", id, "gives base_url, which only the shipped table may; name base_url_env"),
    );
}

function advisorFindings(
  advisor: Advisor,
  { catalogue, adapters }: { catalogue: Catalogue; adapters: AdapterFacts },
): TableFinding[] {
  const said = (message: string) => at("advisors.yml", advisor.id, message);
  const found = [
    ...shapeOf(advisor, adapters).map(said),
    ...referencesOf(advisor, catalogue).map(said),
    ...advisor.capabilities
      .filter((word) => !catalogue.vocabulary.some(({ id }) => id === word))
      .map((word) => said(`offers "${word}", which the vocabulary does not have`)),
  ];
  const model = advisor.model && findModel(catalogue.models, advisor.model.native_id);
  if (model?.status === "deprecated" || model?.status === "retired") {
    found.push({ ...said(`uses the model "${model.id}", which is ${model.status}`), level: "warning" });
  }
  return found;
}

function shapeOf(advisor: Advisor, adapters: AdapterFacts): string[] {
  const { transport, executable, access } = advisor;
  const address = advisor.base_url !== undefined || advisor.base_url_env !== undefined;
  const facts = adapters[advisor.adapter];
  const rows: [boolean, string][] = [
    [advisor.capabilities.length === 0, "offers no capability"],
    [transport === "peer", "declares a peer; peers are found, not declared"],
    [
      transport === "api" && advisor.credential_env === undefined,
      "has a vendor that names no credential variable",
    ],
    [transport === "cli" && executable === undefined, "names no executable"],
    [
      executable !== undefined && /[\\/]/.test(executable),
      "names an executable with a slash, which is never found",
    ],
    [
      transport === "local_runtime" && executable === undefined && advisor.base_url_env === undefined,
      "has neither executable nor base_url_env",
    ],
    [transport === "api" && !address, "has neither base_url nor base_url_env"],
    [
      facts !== undefined && transport !== "peer" && !facts.transports.includes(transport),
      `has the adapter "${advisor.adapter}", which does not speak ${transport}`,
    ],
    [
      advisor.capabilities.includes("repository_analysis") && access === "brief",
      "offers repository_analysis and sees only the brief",
    ],
    [access === "workspace" && transport !== "cli", "has access: workspace, which only a program can"],
  ];
  return rows.filter(([wrong]) => wrong).map(([, message]) => message);
}

function referencesOf(advisor: Advisor, { clients, vendors, models }: Catalogue): string[] {
  const found: string[] = [];
  if (advisor.provider !== undefined && !clients.some(({ id }) => id === advisor.provider))
    found.push(`names the provider "${advisor.provider}", which no table has`);
  if (advisor.vendor !== undefined && !vendors.some(({ id }) => id === advisor.vendor))
    found.push(`names the vendor "${advisor.vendor}", which no table has: models.yml declares vendors`);
  if (!advisor.model) return found;
  const model = findModel(models, advisor.model.native_id);
  if (!model) found.push(`names the model "${advisor.model.native_id}", which no table has`);
  else if (advisor.vendor !== undefined && model.vendor !== advisor.vendor)
    found.push(`names the model "${model.id}" of another vendor`);
  return found;
}
