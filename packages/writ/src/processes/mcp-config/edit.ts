import { fail, type WritError } from "../../contract/index.ts";
import { canonicalJson } from "../../platform/index.ts";
import { entryName, type McpClient } from "./clients.ts";
import { insertJson, type JsonMade, readJsonAt, removeJson } from "./json-edit.ts";
import { JsonFault } from "./json-scan.ts";
import { appendTable, findTable, printTable, removeTable, TomlFault } from "./toml-edit.ts";

/** What an installation made, kept so that it can be taken back exactly. */
export interface Made {
  file: string;
  /** The file itself was made. */
  created: boolean;
  json?: JsonMade;
  /** What stands before a table of TOML. */
  gap?: string;
}

/** How a client's file stands to Writ's entry. */
export type Standing = "absent" | "ours" | "other";

/** What stands in a client's configuration under Writ's name. Refuses a text that cannot be read as its format. */
export function standingIn(client: McpClient, file: string, text: string): Standing {
  return reading(client, file, () => {
    const { container, entry, format } = client;
    if (format === "toml") {
      const table = findTable(text, { container, name: entryName });
      if (!table) return "absent";
      const written = printTable({ container, name: entryName }, entry).trimEnd();
      return table.text.replaceAll("\r\n", "\n").trimEnd() === written ? "ours" : "other";
    }
    const value = readJsonAt(text, { comments: format === "jsonc", path: [container, entryName] });
    if (value === undefined) return "absent";
    return canonicalJson(value) === canonicalJson(entry) ? "ours" : "other";
  });
}

/** The configuration with Writ's entry in it; null is a file that is not there. */
export function withEntry(
  client: McpClient,
  file: string,
  text: string | null,
): { text: string; made: Made } {
  const { container, entry, format } = client;
  const table = printTable({ container, name: entryName }, entry);
  if (text === null) {
    const json = `${JSON.stringify({ [container]: { [entryName]: entry } }, null, 2)}\n`;
    return {
      text: format === "toml" ? table : json,
      made: { file, created: true, ...(format !== "toml" && { json: { depth: 0 } }) },
    };
  }
  return reading(client, file, () => {
    if (format === "toml") {
      const appended = appendTable(text, table);
      return { text: appended.text, made: { file, created: false, gap: appended.gap } };
    }
    const inserted = insertJson(text, { comments: format === "jsonc", path: [container, entryName] }, entry);
    return { text: inserted.text, made: { file, created: false, json: inserted.made } };
  });
}

/** The configuration without Writ's entry; null when the file is to go, since Writ made it and nothing else is in it. */
export function withoutEntry(
  client: McpClient,
  text: string,
  { file, made }: { file: string; made: Made | undefined },
): string | null {
  return reading(client, file, () => {
    const { container, format } = client;
    const rest =
      format === "toml"
        ? removedTable(client, text, made?.gap)
        : removeJson(text, { comments: format === "jsonc", path: [container, entryName] }, made?.json);
    return made?.created && /^\s*(?:\{\s*\})?\s*$/.test(rest) ? null : rest;
  });
}

function removedTable({ container }: McpClient, text: string, gap: string | undefined): string {
  const table = findTable(text, { container, name: entryName });
  return table ? removeTable(text, table, gap) : text;
}

function reading<T>({ name, format }: McpClient, file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof JsonFault || error instanceof TomlFault)
      throw unreadable({ name, file, format }, `line ${error.line}: ${error.message}.`);
    if (error instanceof TypeError) throw unreadable({ name, file, format }, `${error.message}.`);
    throw error;
  }
}

function unreadable(
  { name, file, format }: { name: string; file: string; format: string },
  cause: string,
): WritError {
  const kind = format === "toml" ? "TOML" : "JSON";
  return fail("DATA_ERROR", {
    message: `${file} of ${name} cannot be edited; nothing was changed.`,
    cause: `It is not ${kind} that an entry can be added to: ${cause}`,
    remediation: `Correct ${file}, then run the command again.`,
    details: { file },
  });
}
