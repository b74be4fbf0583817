import { join } from "node:path";
import { fail, type WritError } from "../../contract/index.ts";
import { readOrNull, readYaml, storing } from "../../platform/index.ts";
import type * as z from "zod";
import { adapterFacts } from "../advisors/table.ts";
import { shippedAdvisors } from "../tables/advisors.ts";
import { shippedClients } from "../tables/clients.ts";
import { shippedModels, shippedVendors } from "../tables/models.ts";
import { forbiddenClaims, vocabulary } from "../tables/vocabulary.ts";
import { type TableFinding, tableFindings } from "./findings.ts";
import { type Catalogue, mergeTables, type TableSources } from "./merge.ts";

/** The tables of a workspace, or why they cannot be used: then everything but asking goes on with what ships. */
export interface Tables {
  catalogue: Catalogue;
  findings: TableFinding[];
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
  const read = async <T>(file: string, schemaOf: SchemaOf<T>): Promise<T | undefined> => {
    const found = await readTable(root, file, schemaOf);
    if (found && "broken" in found) broken ??= found.broken;
    return found && "value" in found ? found.value : undefined;
  };
  const [advisors, clients, models] = await Promise.all([
    read("advisors.yml", (all) => all.AdvisorsFile),
    read("providers.yml", (all) => all.ClientsFile),
    read("models.yml", (all) => all.ModelsFile),
  ]);
  if (advisors) own.advisors = advisors;
  if (clients) own.clients = clients;
  if (models) own.models = models;
  const sources = { shipped, own };
  const catalogue = mergeTables(sources);
  return {
    catalogue,
    findings: tableFindings(catalogue, { sources, adapters: adapterFacts }),
    ...(broken && { broken }),
  };
}

// The schemas are loaded for a workspace that has such a file; most have none.
type SchemaOf<T> = (all: typeof import("../model/tables.ts")) => z.ZodType<T>;

async function readTable<T>(
  root: string,
  file: string,
  schemaOf: SchemaOf<T>,
): Promise<{ value: T } | { broken: WritError } | undefined> {
  const bytes = await storing(file, () => readOrNull(join(root, file), { maxBytes }));
  if (!bytes) return undefined;
  const document = readYaml(bytes);
  const [problem] = document.problems;
  if (problem) return { broken: invalid(file, { line: problem.line, message: problem.message }) };
  const parsed = schemaOf(await import("../model/tables.ts")).safeParse(document.value);
  if (parsed.success) return { value: parsed.data };
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join(".") ?? "";
  const pointer = (issue?.path ?? []).map((part) => `/${String(part)}`).join("");
  const { line } = document.locate(pointer);
  return { broken: invalid(file, { line, field, message: issue?.message ?? "it is not as it must be" }) };
}

function invalid(file: string, { line, field, message }: { line: number; field?: string; message: string }) {
  return fail("E_CATALOGUE_INVALID", {
    message: `${file} cannot be used: line ${line}${field ? `, ${field}` : ""}: ${message}.`,
    cause: "Its form is fixed, and what is unknown in it is refused.",
    remediation: `Correct it by its schema: writ schema ${file.replace(".yml", "")}`,
    details: { file, line, ...(field !== undefined && { field }) },
  });
}
