import { expect, test } from "vitest";
import type { Command } from "../../packages/writ/src/contract/index.ts";
import { commands } from "../../packages/writ/src/generated/commands.ts";
import { reasoningPage } from "../../scripts/registry/reasoning-page.ts";
import { expectGolden } from "./golden.ts";

test("RS-120: the reference of reasoning's kinds, tables, commands and errors is what the schemas say", async () => {
  const page = reasoningPage(commands as Command[]);
  for (const told of ["### circuit_reset", "### consultation", "### models.yml", "### writ task start"])
    expect(page).toContain(told);
  expect(page).toContain("| `E_DISPATCH_REQUIRED` | policy | 2 | 403 |");
  expect(page).toContain("| `--materiality` |  | `trivial`, `low`, `material`, `high`, `critical`; default `low` |");
  await expectGolden("../../docs/reference/reasoning.md", page);
});
