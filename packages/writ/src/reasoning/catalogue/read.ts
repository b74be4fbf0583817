import { join } from "node:path";
import type { WritError } from "../../contract/index.ts";
import { readOrNull, storing } from "../../platform/index.ts";
import { adapterFacts } from "../advisors/table.ts";
import { shippedAdvisors } from "../tables/advisors.ts";
import { shippedClients } from "../tables/clients.ts";
import { shippedModels, shippedVendors } from "../tables/models.ts";
import { forbiddenClaims, vocabulary } from "../tables/vocabulary.ts";
import { type TableFinding, tableFindings } from "./findings.ts";
import type { lackingField } from "./lacking.ts";
import { type Catalogue, mergeTables, type TableSources } from "./merge.ts";
import type { SchemaOf, TableForm } from "./parse-table.ts";

/** The tables of a workspace, or why they cannot be used: then everything but asking goes on with what ships. */
export interface Tables {
  catalogue: Catalogue;
  findings: TableFinding[];
  /** Where a workspace's file has an entry; undefined where none has. */
  lineOf(file: TableFinding["file"], id: string): number | undefined;
  broken?: WritError;
}

const maxBytes = 1024 * 1024;

const shipped: TableSources["shipped"] = {
  advisors: {
    version: 1,
    replace: false,
    capabilities: vocabulary,
    advisors: shippedAdvisors,
    forbidden_claims: forbiddenClaims,
  },
  clients: { version: 1, replace: false, providers: shippedClients },
  models: { version: 1, replace: false, vendors: shippedVendors, models: shippedModels },
};

/** Reads the three files of a workspace, where they are there, over what ships. */
export async function readTables(root: string): Promise<Tables> {
  const own: TableSources["own"] = {};
  let broken: WritError | undefined;
  const lines = new Map<string, ReadonlyMap<string, number>>();
  const read = async <T extends Own>(
    file: string,
    schemaOf: SchemaOf<T>,
    base: T,
  ): Promise<T | undefined> => {
    const found = await readTable(root, file, { schemaOf, base });
    if (found && "broken" in found) broken ??= found.broken;
    if (!found || !("value" in found)) return undefined;
    lines.set(file, found.lines);
    return found.value;
  };
  const [advisors, clients, models] = await Promise.all([
    read("advisors.yml", (all) => all.AdvisorsFile, shipped.advisors),
    read("providers.yml", (all) => all.ClientsFile, shipped.clients),
    read("models.yml", (all) => all.ModelsFile, shipped.models),
  ]);
  if (advisors) own.advisors = advisors;
  if (clients) own.clients = clients;
  if (models) own.models = models;
  const sources = { shipped, own };
  const catalogue = mergeTables(sources);
  const lineOf: Tables["lineOf"] = (file, id) => lines.get(file)?.get(id);
  return {
    catalogue,
    findings: tableFindings(catalogue, { sources, adapters: adapterFacts }).map((finding) => {
      const line = lineOf(finding.file, finding.subject);
      return { ...finding, ...(line !== undefined && { line }) };
    }),
    lineOf,
    ...(broken && { broken }),
  };
}

type Own = Parameters<typeof lackingField>[0];

type Parsed<T> = { value: T; lines: ReadonlyMap<string, number> } | { broken: WritError };

// A server reads the same tables at every call; of each file what its last text said is kept.
const lastParsed = new Map<string, { bytes: Buffer; parsed: Parsed<unknown> }>();
const mostKept = 32;

// YAML and schemas are loaded for a workspace that has such a file; most have none.
async function readTable<T extends Own>(
  root: string,
  file: string,
  as: TableForm<T>,
): Promise<Parsed<T> | undefined> {
  const path = join(root, file);
  const bytes = await storing(file, () => readOrNull(path, { maxBytes }));
  if (!bytes) return undefined;
  const last = lastParsed.get(path);
  if (last?.bytes.equals(bytes)) return last.parsed as Parsed<T>;
  const { parseTable } = await import("./parse-table.ts");
  const parsed = parseTable(bytes, file, as);
  if (lastParsed.size >= mostKept) lastParsed.clear();
  lastParsed.set(path, { bytes, parsed });
  return parsed;
}
