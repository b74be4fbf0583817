import { describe, expect, test } from "vitest";
import { adapterFacts } from "../../packages/writ/src/reasoning/advisors/table.ts";
import { reach } from "../../packages/writ/src/reasoning/availability/availability.ts";
import { tableFindings } from "../../packages/writ/src/reasoning/catalogue/findings.ts";
import { mergeTables } from "../../packages/writ/src/reasoning/catalogue/merge.ts";
import { AdvisorsFile, ClientsFile, ModelsFile } from "../../packages/writ/src/reasoning/model/tables.ts";
import { reasoningSchemas } from "../../packages/writ/src/reasoning/surface/schemas.ts";
import { alphaEntry, bedNone } from "./bed.ts";

interface Schema {
  properties: Record<string, Schema & { items: Schema }>;
  additionalProperties: boolean;
}
const schemas = reasoningSchemas() as unknown as Record<string, Schema>;
const fieldsOf = (schema: Schema | undefined): string[] => {
  expect(schema?.additionalProperties).toBe(false);
  return Object.keys(schema?.properties ?? {}).toSorted();
};

describe("the fields of the tables", () => {
  test.for([
    ["advisors", "", "version replace capabilities advisors forbidden_claims"],
    ["advisors", "capabilities", "id description"],
    [
      "advisors",
      "advisors",
      "id title transport adapter provider vendor model executable capabilities base_url base_url_env model_env env access max_output_tokens max_tokens_field json_mode parameters enabled note",
    ],
    ["providers", "", "version replace providers"],
    ["providers", "providers", "id title vendor executable"],
    ["models", "", "version replace vendors models"],
    ["models", "vendors", "id title inference credential_env"],
    ["models", "models", "id vendor native_id maker aliases context_window status price note"],
  ] as const)("RS-21: %s.yml, of %s: no other than %s", ([file, list, fields]) => {
    const top = schemas[file];
    expect(fieldsOf(list === "" ? top : top?.properties[list]?.items)).toEqual(fields.split(" ").toSorted());
  });
  test("RS-21: what an advisor leaves out has a default", () => {
    const file = (advisors: object[] = []) => AdvisorsFile.parse({ version: 1, advisors });
    const none = { clients: ClientsFile.parse({ version: 1 }), models: ModelsFile.parse({ version: 1 }) };
    const { advisors } = mergeTables({
      shipped: { advisors: file(), ...none },
      own: { advisors: file([alphaEntry]) },
    });
    expect(advisors[0]).toMatchObject({
      access: "brief",
      max_output_tokens: 16_000,
      max_tokens_field: "max_tokens",
      json_mode: false,
      enabled: true,
      env: [],
      parameters: {},
    });
  });
  test("RS-20, RS-21: a new entry is whole, one that changes a shipped entry says what differs", async () => {
    await using bed = bedNone();
    const refused = async (file: string, entries: object) => {
      bed.write(file, JSON.stringify({ version: 1, ...entries }, null, 1));
      const { error } = await bed.call("reasoning.advisors");
      bed.write(file, '{"version":1}');
      return error?.code === "E_CATALOGUE_INVALID" ? error.details?.field : error;
    };
    const entry = { id: "x", title: "X", transport: "cli", adapter: "stdio" };
    const { title: _1, ...untitled } = entry;
    const { transport: _2, ...untold } = entry;
    const { adapter: _3, ...mute } = entry;
    expect([
      await refused("advisors.yml", { advisors: [entry, { id: "claude", note: "first" }] }),
      await refused("advisors.yml", { advisors: [entry, { ...untitled, id: "y" }] }),
      await refused("advisors.yml", { advisors: [untold] }),
      await refused("advisors.yml", { advisors: [mute] }),
      await refused("advisors.yml", { replace: true, advisors: [{ id: "claude", note: "first" }] }),
      await refused("providers.yml", { providers: [{ id: "p" }] }),
      await refused("models.yml", { vendors: [{ id: "v" }] }),
      await refused("models.yml", { models: [{ id: "m", vendor: "openai" }] }),
      await refused("models.yml", { models: [{ id: "m", native_id: "m-1" }] }),
    ]).toEqual([
      null,
      "advisors.1.title",
      "advisors.0.transport",
      "advisors.0.adapter",
      "advisors.0.title",
      "providers.0.title",
      "vendors.0.title",
      "models.0.native_id",
      "models.0.vendor",
    ]);
  });
});

describe("what an advisor refers to", () => {
  const models = ModelsFile.parse({
    version: 1,
    vendors: [
      { id: "house", title: "House", credential_env: "HOUSE_KEY" },
      { id: "guest", title: "Guest" },
    ],
    models: [{ id: "big", vendor: "house", native_id: "big-2026", aliases: ["large"], maker: "guest" }],
  });
  const clients = ClientsFile.parse({
    version: 1,
    providers: [{ id: "editor", title: "Editor", vendor: "house" }],
  });
  const tables = (entry: object) => {
    const advisors = AdvisorsFile.parse({
      version: 1,
      capabilities: [{ id: "independent_reasoning", description: "d" }],
      advisors: [
        {
          id: "one",
          title: "One",
          transport: "api",
          adapter: "openai-chat",
          vendor: "house",
          base_url_env: "URL",
          capabilities: ["independent_reasoning"],
          ...entry,
        },
      ],
    });
    const sources = { shipped: { advisors, clients, models }, own: {} };
    const catalogue = mergeTables(sources);
    const [advisor] = catalogue.advisors;
    if (!advisor) throw new Error("no advisor");
    return {
      advisor,
      messages: tableFindings(catalogue, { sources, adapters: adapterFacts }).map(({ message }) => message),
      reached: (presence: { address?: string; model?: string } = {}) =>
        reach(advisor, {
          adapters: adapterFacts,
          presence: new Map([["one", { credentialSet: true, executableFound: false, ...presence }]]),
        }),
    };
  };

  test("RS-22: a model is found by id, alias or native id, and the vendor is sent its native id", () => {
    for (const model of ["big", "large", "big-2026"]) {
      const { advisor, messages } = tables({ model });
      expect([advisor.model?.native_id, advisor.model?.maker, messages]).toEqual(["big-2026", "guest", []]);
    }
  });
  test("RS-22: the vendor is the advisor's own, else its client's", () => {
    const own = tables({ vendor: "house", provider: "editor" }).advisor;
    const theirs = tables({ vendor: undefined, provider: "editor" }).advisor;
    expect([own.vendor, theirs.vendor, theirs.credential_env]).toEqual(["house", "house", "HOUSE_KEY"]);
    expect(tables({ vendor: "guest", provider: "editor" }).advisor.vendor).toBe("guest");
  });
  test.for([
    ["provider", "nobody"],
    ["vendor", "nobody"],
    ["model", "nothing"],
  ] as const)("RS-22: a %s that leads nowhere is a finding", ([field, name]) => {
    expect(tables({ [field]: name }).messages.join("; ")).toContain(
      `names the ${field} "${name}", which no table has`,
    );
  });
  test("RS-22: the address is the variable's, else the table's, else the adapter's", () => {
    const url = ({ address }: { address?: unknown }) => (address as { url: string } | undefined)?.url;
    const listed = tables({ base_url: "https://table.test/v1" });
    expect(url(listed.reached({ address: "https://variable.test" }))).toBe("https://variable.test");
    expect(url(listed.reached())).toBe("https://table.test/v1");
    expect(url(tables({}).reached())).toBeUndefined();
    const local = tables({ transport: "local_runtime", adapter: "ollama-chat" });
    expect(url(local.reached())).toBe("http://127.0.0.1:11434");
  });
  test("RS-22: the model is the variable's, else the table's, else left to be asked for", () => {
    expect(tables({ model: "big" }).reached({ model: "other" }).model).toBe("other");
    expect(tables({ model: "big" }).reached().model).toBe("big-2026");
    expect(tables({}).reached().model).toBeUndefined();
  });
});
