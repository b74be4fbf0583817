import { fail } from "../contract/index.ts";

/** The error of a command that reads this workspace's ledger where there is none. */
export function noWorkspace(base: string) {
  return fail("E_NO_WORKSPACE", {
    message: "There is no workspace here whose ledger could be read.",
    cause: "No workspace.yml stands in the folder or above it.",
    remediation: "Name one with --workspace DIR, or check an export: writ ledger verify --file F",
    details: { searched_from: base },
  });
}
