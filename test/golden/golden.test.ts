import { expect, test } from "vitest";
import { hintsOf, type Row } from "../../packages/writ/src/contract/index.ts";
import { mcpProfile } from "../../packages/writ/src/app/profile.ts";
import { commands } from "../../packages/writ/src/generated/commands.ts";
import { schemas } from "../../packages/writ/src/generated/schemas.ts";
import { buildOpenApi } from "../../packages/writ/src/surfaces/http/index.ts";
import { buildTools } from "../../packages/writ/src/surfaces/mcp/index.ts";
import { helpText } from "../../packages/writ/src/surfaces/cli/help.ts";
import { expectGolden } from "./golden.ts";

const rows: Row[] = commands.map((command) => ({ ...command, ...schemas[command.id] }) as Row);
const registry = { rows, find: (id: string) => rows.find((row) => row.id === id), load: () => Promise.reject(new Error("nothing is called")) };

test("CT-26: the help of a command", async () => {
  await expectGolden("help-token-create.txt", helpText(["token", "create"], rows, { version: "1.2.3" }));
});

test("CT-26: the help of the program", async () => {
  await expectGolden("help.txt", helpText([], rows, { version: "1.2.3" }));
});

test("RN-13: the tools that an MCP client is offered", async () => {
  const { tools } = buildTools(registry, { profile: mcpProfile });
  const lines = tools.map(({ name, description, inputSchema, annotations }) => {
    const hints = Object.entries(annotations ?? {}).flatMap(([hint, on]) => (on ? [hint.replace("Hint", "")] : []));
    const inputs = Object.keys(inputSchema.properties ?? {}).map((field) => `${field}${isRequired(inputSchema, field) ? "!" : ""}`);
    return [name, `  ${description}`, `  takes ${inputs.join(", ") || "nothing"}`, `  ${hints.join(", ")}`, ""].join("\n");
  });
  await expectGolden("mcp-tools.txt", lines.join("\n"));
});

interface Operation {
  operationId: string;
  parameters?: { name: string }[];
  responses: Record<string, unknown>;
}

test("CT-29, CT-30: the operations of the HTTP interface and the statuses each may answer", async () => {
  const offered = rows.filter((row) => row.on.includes("http"));
  const { paths } = buildOpenApi(offered, { version: "1.2.3", url: "http://writ.test" }) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, responses }]) =>
      [method.toUpperCase().padEnd(6), path.padEnd(28), operationId.padEnd(26), Object.keys(responses).join(" ")].join(" "),
    ),
  );
  expect(lines.length).toBeGreaterThan(offered.length - 1);
  await expectGolden("openapi.txt", `${lines.join("\n")}\n`);
});

test("CT-32: what each capability may do, by its declaration", async () => {
  const lines = rows.map((row) => {
    const { effect, network, workspace } = row.need;
    const { destructiveHint } = hintsOf(row);
    const facts = [effect, network === "may" ? "network" : "", `workspace ${workspace}`, row.may ? `${row.may} only` : ""];
    const undo = row.undo ? `undone by ${row.undo}` : destructiveHint ? "not undone" : "";
    return `${row.id.padEnd(24)} ${[...facts, undo, row.on.length < 4 ? `on ${row.on.join(", ")}` : ""].filter(Boolean).join("; ")}`;
  });
  await expectGolden("effects.txt", `${lines.join("\n")}\n`);
});

function isRequired(schema: object, field: string): boolean {
  return ((schema as { required?: string[] }).required ?? []).includes(field);
}
