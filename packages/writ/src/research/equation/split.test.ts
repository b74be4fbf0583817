import { describe, expect, test } from "vitest";
import { WritError } from "../../contract/index.ts";
import { encodedBytes } from "./split.ts";
import { translateEquation } from "./translate.ts";

function filters(text: string, urlBytes?: number): string[] {
  const options = urlBytes === undefined ? {} : { urlBytes };
  return translateEquation("openalex", text, options).requests.map(({ filter }) => filter ?? "");
}

const group = (letter: string, count: number): string =>
  Array.from({ length: count }, (_, i) => `${letter}${String(i).padStart(3, "0")}`).join(" OR ");

function refused(text: string, urlBytes: number): boolean {
  try {
    filters(text, urlBytes);
    return false;
  } catch (error) {
    return error instanceof WritError && error.code === "E_EQUATION_UNSUPPORTED";
  }
}

describe("queries that are too long for a URL", () => {
  test("RL-56: the longest group is cut, the rest is in every part", () => {
    expect(filters("x AND (aa OR bb OR cc)", 65)).toEqual([
      "title_and_abstract.search:(x AND (aa OR bb))",
      "title_and_abstract.search:(x AND cc)",
    ]);
  });

  test("RL-56: a thousand words take as few parts as fit, and each fits into 4,000 bytes with the rest of the URL", () => {
    const parts = filters(`lake AND (${group("w", 990)}), 1999`);
    expect(parts).toHaveLength(4);
    for (const part of parts) {
      expect(`https://api.openalex.org/works?filter=${encodeURIComponent(part)}`.length).toBeLessThan(3500);
      expect(part.startsWith("title_and_abstract.search:(lake AND (w")).toBe(true);
    }
    expect(parts.flatMap((part) => part.match(/w\d{3}/g))).toEqual(group("w", 990).split(" OR "));
  });

  test("RL-56: two long groups are cut in balance, and every pair of words is asked for", () => {
    const parts = filters(`(${group("a", 100)}) AND (${group("b", 100)})`, 700);
    const pairs = new Set(
      parts.flatMap((part) => {
        const bs = part.match(/b\d{3}/g) ?? [];
        return (part.match(/a\d{3}/g) ?? []).flatMap((a) => bs.map((b) => a + b));
      }),
    );
    expect(pairs.size).toBe(10_000);
    expect(parts.length).toBeLessThanOrEqual(16);
    expect(parts.every((part) => encodedBytes(part) <= 700)).toBe(true);
  });

  test("RL-56: a group under NOT stays whole, and what cannot be cut is refused", () => {
    const parts = filters(`(aa OR bb) NOT (${group("n", 8)})`, 150);
    expect(parts).toEqual([
      `title_and_abstract.search:(aa NOT (${group("n", 8)}))`,
      `title_and_abstract.search:(bb NOT (${group("n", 8)}))`,
    ]);
    expect(refused(`x NOT (${group("n", 8)})`, 120)).toBe(true);
    expect(refused(group("a", 50).replaceAll("OR", "AND"), 200)).toBe(true);
    expect(refused(Array.from({ length: 40 }, (_, i) => `(a${i} OR b${i})`).join(" AND "), 700)).toBe(true);
  });

  test("RL-56: lists of values are cut too, at a hundred", () => {
    const dois = Array.from({ length: 150 }, (_, i) => `10.1234/${i}`);
    const parts = filters(`x AND DO=(${dois.join(" OR ")})`, 100_000);
    expect(parts.map((part) => part.split("|").length)).toEqual([100, 50]);
  });

  test("RL-56: one item tells of the parts, and the executed query has them all", () => {
    const { report, executedQuery, requests } = translateEquation("openalex", group("w", 600));
    expect(report).toMatchObject([{ construct: "split", action: "kept", effect: "same", position: null }]);
    expect(executedQuery.split("\n")).toEqual(requests.map(({ filter }) => filter));
    expect(encodedBytes("é a~*()")).toBe(6 + 3 + 1 + 3 * 4);
  });
});
