import type {
  AdvisorEntry,
  AdvisorsFile,
  ClientEntry,
  ClientsFile,
  ModelEntry,
  ModelsFile,
  VendorEntry,
} from "../model/tables.ts";
import type { Transport } from "../model/words.ts";

/** An advisor with its defaults filled in and its references followed. */
export interface Advisor {
  id: string;
  title: string;
  transport: Transport;
  adapter: string;
  provider?: string;
  /** Its own, else its client's. */
  vendor?: string;
  model?: ResolvedModel;
  executable?: string;
  capabilities: string[];
  base_url?: string;
  base_url_env?: string;
  model_env?: string;
  env: string[];
  access: "brief" | "workspace";
  max_output_tokens: number;
  max_tokens_field: string;
  json_mode: boolean;
  parameters: Record<string, string | number | boolean>;
  enabled: boolean;
  /** The name of its vendor's key variable. */
  credential_env?: string;
  /** Declared, or changed, by the workspace's own file. */
  ofWorkspace: boolean;
}

/** What a model's name leads to. */
export interface ResolvedModel {
  native_id: string;
  /** The party that trained it; absent for a name the table does not know. */
  maker?: string;
  price?: { input_usd_per_mtok: number; output_usd_per_mtok: number };
}

/** The files of a workspace that were there, and what ships. */
export interface TableSources {
  shipped: { advisors: AdvisorsFile; clients: ClientsFile; models: ModelsFile };
  own: { advisors?: AdvisorsFile; clients?: ClientsFile; models?: ModelsFile };
}

/** The merged reference tables. */
export interface Catalogue {
  advisors: Advisor[];
  vocabulary: { id: string; description: string }[];
  forbidden: string[];
  clients: ClientEntry[];
  vendors: VendorEntry[];
  models: ModelEntry[];
  /** Names of variables that the shipped table lets a program see. */
  shippedEnv: string[];
}

/** The workspace's entries first, then what ships; a known id changes only the fields it gives. */
export function mergeTables({ shipped, own }: TableSources): Catalogue {
  const clients = merged(own.clients?.providers, own.clients?.replace ? [] : shipped.clients.providers);
  const base = own.models?.replace ? { vendors: [], models: [] } : shipped.models;
  const vendors = merged(own.models?.vendors, base.vendors);
  const models = merged(own.models?.models, base.models);
  const advisorBase = own.advisors?.replace
    ? { advisors: [], capabilities: [], forbidden_claims: [] }
    : shipped.advisors;
  const entries = merged(own.advisors?.advisors.map(withoutAddress), advisorBase.advisors);
  const tables = { clients, vendors, models };
  const named = new Set(own.advisors?.advisors.map(({ id }) => id));
  return {
    advisors: entries.map((entry) => resolve(entry, { ...tables, ofWorkspace: named.has(entry.id) })),
    vocabulary: merged(own.advisors?.capabilities, advisorBase.capabilities),
    forbidden: [...new Set([...(own.advisors?.forbidden_claims ?? []), ...advisorBase.forbidden_claims])],
    ...tables,
    shippedEnv: [...new Set(shipped.advisors.advisors.flatMap(({ env = [] }) => env))],
  };
}

/** The maker of a model by whatever name it has, as a table knows it. */
export function findModel(models: readonly ModelEntry[], name: string): ModelEntry | undefined {
  return models.find(
    ({ id, aliases, native_id }) => id === name || aliases?.includes(name) || native_id === name,
  );
}

function merged<T extends { id: string }>(own: readonly T[] = [], shipped: readonly T[]): T[] {
  const byId = new Map(shipped.map((entry) => [entry.id, entry]));
  const firsts = new Map<string, T>();
  for (const entry of own) {
    const before = firsts.get(entry.id) ?? byId.get(entry.id);
    firsts.set(entry.id, before ? { ...before, ...entry } : entry);
  }
  return [...firsts.values(), ...shipped.filter(({ id }) => !firsts.has(id))];
}

// An address in a workspace's file could send a key to anybody.
function withoutAddress(entry: AdvisorEntry): AdvisorEntry {
  const kept = { ...entry };
  delete kept.base_url;
  return kept;
}

function resolve(
  entry: AdvisorEntry,
  {
    clients,
    vendors,
    models,
    ofWorkspace,
  }: Pick<Catalogue, "clients" | "vendors" | "models"> & { ofWorkspace: boolean },
): Advisor {
  const { base_url, base_url_env, model_env, provider, executable } = entry;
  const vendor = entry.vendor ?? clients.find(({ id }) => id === provider)?.vendor;
  const credential_env = vendors.find(({ id }) => id === vendor)?.credential_env;
  const known = entry.model === undefined ? undefined : findModel(models, entry.model);
  const model = known
    ? resolvedOf(known)
    : entry.model === undefined
      ? undefined
      : { native_id: entry.model };
  return {
    id: entry.id,
    title: entry.title ?? entry.id,
    transport: entry.transport ?? "api",
    adapter: entry.adapter ?? "",
    ...(provider !== undefined && { provider }),
    ...(vendor !== undefined && { vendor }),
    ...(model && { model }),
    ...(executable !== undefined && { executable }),
    capabilities: entry.capabilities ?? [],
    ...(base_url !== undefined && { base_url }),
    ...(base_url_env !== undefined && { base_url_env }),
    ...(model_env !== undefined && { model_env }),
    env: entry.env ?? [],
    access: entry.access ?? "brief",
    max_output_tokens: entry.max_output_tokens ?? 16_000,
    max_tokens_field: entry.max_tokens_field ?? "max_tokens",
    json_mode: entry.json_mode ?? false,
    parameters: entry.parameters ?? {},
    enabled: entry.enabled ?? true,
    ...(credential_env !== undefined && { credential_env }),
    ofWorkspace,
  };
}

/** What the table says of a model: its vendor is its maker where no other is named. */
export function resolvedOf(model: ModelEntry): ResolvedModel {
  const maker = model.maker ?? model.vendor;
  return {
    native_id: model.native_id ?? model.id,
    ...(maker !== undefined && { maker }),
    ...(model.price && { price: model.price }),
  };
}
