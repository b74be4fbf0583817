import type { Authenticate, Call, Execute } from "./call.ts";
import type { Clock, Ids } from "./context.ts";
import type { Topic } from "./parts.ts";
import type { Registry } from "./registry.ts";

/** What a reader may fetch without calling a capability: the workspace's context and its references. */
export interface Resource {
  /** `file:AGENTS.md`, `topic:caching`, `record:…` */
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
}

/** The workspace's resources, read as the caller that the credential shows. */
export interface Resources {
  list(credential: Call["credential"]): Promise<Resource[]>;
  /** Throws E_NOT_FOUND for what is unknown or not visible to the caller. */
  read(uri: string, credential: Call["credential"]): Promise<{ mimeType: string; text: string }>;
}

/** All that a surface is given; it knows no capability by name and no part of Writ besides this. */
export interface SurfaceDeps {
  registry: Registry;
  execute: Execute;
  authenticate: Authenticate;
  version: string;
  /** The workspace's root, or the folder a workspace may be made in. */
  root: string;
  clock: Clock;
  ids: Ids;
  /** One line for the log; a surface never writes to the console. */
  log(line: string): void;
  resources?: Resources;
  /** The product's guides, offered as prompts. */
  prompts?: () => Promise<Topic[]>;
}
