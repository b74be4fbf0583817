import type { Workspace } from "./context.ts";
import type { Session, Span } from "./ports.ts";
import type { Warning } from "./warnings.ts";

/** What one execution has learnt so far; the answer is made from it, also after a failure. */
export interface Progressing {
  command: string;
  workspace?: Workspace;
  session?: Session;
  warnings: Warning[];
  span?: Span | undefined;
  /** True inside an act that has begun: it may finish what it needs, also after it was asked to stop. */
  inside?: true;
}
