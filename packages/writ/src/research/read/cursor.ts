import { fail } from "../../contract/index.ts";

/** Where a list goes on: behind this key and id. Opaque to who gets it. */
export function writeCursor(sort: string, key: number, id: string): string {
  return Buffer.from(JSON.stringify([sort, key, id])).toString("base64url");
}

/** Throws E_INVALID_VALUE for what no list with this order has given. */
export function readCursor(text: string, sort: string): { key: number; id: string } {
  try {
    const [by, key, id] = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as [
      string,
      number,
      string,
    ];
    if (by === sort && typeof key === "number" && typeof id === "string") return { key, id };
  } catch {
    // Falls through: what does not parse is no cursor.
  }
  throw fail("E_INVALID_VALUE", {
    message: "The cursor is none of this list.",
    cause: "It is the next_cursor of an earlier answer, given back with the same --sort.",
    remediation: "Begin at the first page: writ research read list --limit 100",
    details: { allowed: "next_cursor of an earlier answer" },
  });
}
