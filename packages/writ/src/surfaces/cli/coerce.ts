import { type Command, fail, type Flag, flagWord } from "../../contract/index.ts";

/** Reads the text of one flag or argument as its kind. */
export function coerce(command: Command, flag: { name: string; kind: Flag["kind"] }, text: string): unknown {
  switch (flag.kind) {
    case "string":
      return text;
    case "boolean":
      if (text === "true") return true;
      if (text === "false") return false;
      throw unreadable(command, flag.name, { text, wanted: "true or false" });
    case "number":
    case "integer": {
      const value = Number(text);
      const isNumber = text.trim() !== "" && Number.isFinite(value);
      if (isNumber && (flag.kind === "number" || Number.isInteger(value))) return value;
      throw unreadable(command, flag.name, {
        text,
        wanted: flag.kind === "integer" ? "a whole number" : "a number",
      });
    }
    case "json":
      try {
        return JSON.parse(text);
      } catch {
        throw unreadable(command, flag.name, { text, wanted: "JSON" });
      }
    default:
      return flag.kind satisfies never;
  }
}

function unreadable(command: Command, name: string, of: { text: string; wanted: string }) {
  return fail("USAGE_ERROR", {
    message: `${flagWord(name)} cannot be read: "${of.text.slice(0, 80)}".`,
    cause: `It must be ${of.wanted}.`,
    remediation: `See: writ ${command.path.join(" ")} --help`,
    details: { field: name.replaceAll("-", "_"), wanted: of.wanted },
  });
}
