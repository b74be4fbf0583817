import type { Check } from "../../contract/index.ts";
import type { Room } from "./room.ts";

/** What one look found. */
export interface Finding {
  status: Check["status"];
  message: string;
  remediation?: string;
  /** Whether the check's own repair would help here. */
  fixable?: boolean;
}

/** One check of the workspace's doctor. */
export interface CheckRow {
  id: string;
  /** The worst it can say: what is beyond that is not for it to judge. */
  worst: "fail" | "warn" | "info";
  /** False for what is looked at outside of any workspace as well. */
  workspace: boolean;
  look(room: Room): Promise<Finding> | Finding;
  /** Repairs what `look` called fixable; never touches a file of the user, and may be called again. */
  fix?(room: Room): Promise<void>;
}

export const ok = (message: string): Finding => ({ status: "ok", message });
export const skipped = (message: string): Finding => ({ status: "skipped", message });

type Help = Pick<Finding, "remediation" | "fixable">;

export const info = (message: string, help: Help = {}): Finding => ({ status: "info", message, ...help });
export const warn = (message: string, help: Help = {}): Finding => ({ status: "warn", message, ...help });
export const failed = (message: string, help: Help = {}): Finding => ({ status: "fail", message, ...help });

// A longer list would push the other checks off the screen; each command named beside it shows all.
const shownAtMost = 5;

/** A list for a message: the first few, and how many more. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, shownAtMost).join(", ");
  return names.length > shownAtMost ? `${shown} and ${names.length - shownAtMost} more` : shown;
}
