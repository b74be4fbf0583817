import type { Part } from "../contract/index.ts";
import { part as ledger } from "../ledger/index.ts";
import { part as reasoning } from "../reasoning/index.ts";
import { part as research } from "../research/index.ts";
import { part as workspace } from "../workspace/index.ts";

/** The parts of Writ; what a part adds besides capabilities is collected from here. */
export const parts: readonly Part[] = [workspace, reasoning, research, ledger];
