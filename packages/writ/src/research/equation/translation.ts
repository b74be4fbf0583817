import type { SourceId } from "../model.ts";
import type { ReportItem } from "./report.ts";

/** What a call adds to its equation. */
export interface TranslateOptions {
  /** Terms that no result may hold. */
  exclude?: readonly string[];
  minYear?: number;
  maxYear?: number;
  /** Names or codes. */
  language?: readonly string[];
  type?: readonly string[];
  /** Refuse a translation that changes the set of results. */
  strict?: boolean;
  /** The text is a filter of OpenAlex and is not read. */
  native?: boolean;
  /** How many bytes of a URL the encoded filter may take. */
  urlBytes?: number;
}

/** What one series of requests asks for: OpenAlex's `filter`, or another source's parameters, not yet encoded. */
export type TranslatedRequest =
  | { filter: string; params?: undefined }
  | { params: Record<string, string>; filter?: undefined };

/** An equation as a source is asked. The results of several requests are united by id. */
export interface Translation {
  source: SourceId;
  requests: TranslatedRequest[];
  /** The filters, or the parameters as `key=value` joined by `&`; one line a request, not encoded. */
  executedQuery: string;
  report: ReportItem[];
}

/** A translation of which the report is not yet sorted and judged. */
export type Draft = Omit<Translation, "source">;
