import type { FailureStatus, Transport } from "../model/words.ts";

/** What an adapter is told of an exchange; everything that goes out follows from it. */
export interface ExchangeInput {
  advisor: {
    id: string;
    adapter: string;
    /** The resolved address, where it is known. */
    address?: string;
    /** The model as its vendor names it; absent: the first that the server lists. */
    model?: string;
    executable?: string;
    credential?: string;
    access: "brief" | "workspace";
    /** The workspace, for a program that may read it. */
    root?: string;
    /** Names of variables the program may see besides the fixed ones. */
    env: readonly string[];
    max_tokens_field: string;
    json_mode: boolean;
    /** Nothing may be served from another machine. */
    localOnly: boolean;
  };
  prompt: string;
  maxOutputTokens: number;
  parameters: Record<string, string | number | boolean>;
}

/** What will be sent, and where to: the bytes themselves, with a credential as a placeholder. */
export interface Exchange {
  target: string;
  method?: "POST";
  url?: string;
  headers: Record<string, string>;
  argv?: string[];
  env_names: string[];
  /** `fresh` is an empty folder made for the exchange. */
  cwd?: "fresh" | "workspace";
  root?: string;
  body: string;
  /** False when something is added that cannot be listed here. */
  complete: boolean;
  notes: string[];
  /** Names the variable whose value takes the placeholder's place, at the moment of sending. */
  credential?: string;
  /** Where the name of a model is found when none is known. */
  models_url?: string;
  /** Parts of the body a server may refuse without the request being wrong. */
  optional: string[];
  localOnly: boolean;
}

/** An answer of a server. */
export interface HttpReply {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
}

/** The way to a server: no redirect is followed, the body is bounded, one attempt. */
export type HttpPort = (ask: {
  url: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}) => Promise<HttpReply>;

/** The way to a program. */
export type SpawnPort = (ask: {
  argv: readonly string[];
  env_names: readonly string[];
  cwd: string;
  stdin: string;
  signal: AbortSignal;
}) => Promise<{ code: number | null; stdout: string; stderr: string }>;

/** What an adapter may reach. */
export interface AdapterIo {
  http: HttpPort;
  spawn: SpawnPort;
  /** The value of a credential variable; read here and nowhere else. */
  secret(name: string): string | undefined;
  signal: AbortSignal;
  /** A fresh empty folder. */
  tmp: string;
  now(): number;
}

export interface RawAnswer {
  text: string;
  usage?: { input_tokens: number; output_tokens: number };
  model?: string;
  /** Said beside the answer: a parameter that was left out. */
  note?: string;
}

/** One dialect. It holds no policy, reads no tables and writes no records. */
export interface Adapter {
  name: string;
  version: string;
  transports: readonly Transport[];
  sealed: boolean;
  /** Pure: what would be sent, and where. */
  describe(input: ExchangeInput): Exchange;
  /** Sends exactly that. Rejects only with an AdvisorFailure. */
  exchange(exchange: Exchange, io: AdapterIo): Promise<RawAnswer>;
}

/** Why there is no answer, in a word and a line. The line never holds text of an answer. */
export class AdvisorFailure extends Error {
  readonly status: FailureStatus;
  readonly diagnostic: string;
  readonly retryAfterSeconds?: number;
  constructor(status: FailureStatus, diagnostic: string, retryAfterSeconds?: number) {
    super(`${status}: ${diagnostic}`);
    this.name = "AdvisorFailure";
    this.status = status;
    this.diagnostic = diagnostic;
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds;
  }
}
