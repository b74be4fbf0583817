import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { diagramOf } from "../../../packages/writ/src/research/prisma/diagram/boxes.ts";
import { layOut } from "../../../packages/writ/src/research/prisma/diagram/layout.ts";
import { diagramText } from "../../../packages/writ/src/research/prisma/diagram/svg.ts";
import { flowOf } from "../../../packages/writ/src/research/prisma/flow.ts";
import type { FlowRows } from "../../../packages/writ/src/research/prisma/rows.ts";
import { templateColumns, templateText } from "../../../packages/writ/src/research/prisma/template.ts";
import { parseSvg, textsOf } from "./texts.ts";

const nasty = '</text><script>alert("1")</script> & \u0000 \u202e =1+1';

const rows = (given: Partial<FlowRows> = {}): FlowRows => ({
  records: [
    { way: "databases", source: "openalex", via: "search", duplicate: false, n: 1200 },
    { way: "databases", source: "ris", via: "import", duplicate: false, n: 30 },
    { way: "databases", source: "ris", via: "import", duplicate: true, n: 12 },
  ],
  untitled: [{ way: "databases", source: "ris", n: 3 }],
  papers: [
    { way: "databases", status: "rejected", reason: "filter:year:gte:2010", stage: "screening", n: 400 },
    { way: "databases", status: "rejected", reason: nasty, stage: "screening", n: 7 },
    { way: "databases", status: "accepted", reason: null, stage: null, n: 23 },
    { way: "databases", status: "candidate", reason: null, stage: null, n: 800 },
  ],
  hasFullTexts: false,
  unidentified: 0,
  ...given,
});

const followed: Partial<FlowRows> = {
  records: [...rows().records, { way: "other", source: "openalex", via: "citer", duplicate: false, n: 60 }],
  papers: [...rows().papers, { way: "other", status: "accepted", reason: null, stage: null, n: 60 }],
};

test("RL-120: one column where nothing was found by other methods, two where something was", () => {
  const one = textsOf(diagramText(flowOf(rows())));
  expect(one).toEqual(
    expect.arrayContaining([
      "Identification",
      "Screening",
      "Included",
      "Records identified from databases (n = 1245)",
      "OpenAlex (n = 1200)",
      "RIS files (n = 45)",
      "Duplicate records (n = 12)",
      "Records without a title (n = 3)",
      "Records screened (n = 1230)",
      "Records excluded (n = 407)",
      "filter:year:gte:2010 (n = 400)",
      "Records that await a decision (n = 800)",
      "Studies included in the review (n = 23)",
    ]),
  );
  expect(one.join()).not.toContain("other methods");
  const two = textsOf(diagramText(flowOf(rows(followed))));
  expect(two).toEqual(
    expect.arrayContaining([
      "Identification of studies via other methods",
      "Citation searching, forward (n = 60)",
      "Studies included in the review (n = 83)",
      "found by other methods (n = 60)",
    ]),
  );
});

test("RL-120: a full text that was excluded for no reason that is told is said to be", () => {
  const reason = {
    way: "databases",
    status: "rejected",
    reason: "fulltext:",
    stage: "fulltext",
    n: 2,
  } as const;
  const flow = flowOf(rows({ papers: [...rows().papers, reason], hasFullTexts: true }));
  expect(textsOf(diagramText(flow))).toContain("no reason given (n = 2)");
  const lines = parse(templateText(flow), { columns: true }) as Record<string, string>[];
  expect(lines.find(({ data }) => data === "dbr_excluded")?.n).toBe("no reason given, 2");
});

test("RL-6, RL-120: the diagram is well-formed, says what it shows, runs nothing and asks for nothing", () => {
  const svg = diagramText(flowOf(rows(followed)));
  const document = parseSvg(svg);
  const root = document.documentElement;
  expect(root?.getAttribute("role")).toBe("img");
  const named = root?.getAttribute("aria-labelledby")?.split(" ") ?? [];
  expect(named.map((id) => document.getElementById(id)?.tagName)).toEqual(["title", "desc"]);
  expect(document.getElementById("prisma-desc")?.textContent).toContain("1290 were screened");
  expect([...document.getElementsByTagName("script")]).toEqual([]);
  expect(svg.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/\bon\w+=|href|url\(|https?:/);
  expect(textsOf(svg)).toContain(`${nasty.replace(/[\0\u202e]/g, "")} (n = 7)`);
});

test("RL-120: no box meets another, and each lies inside the picture", () => {
  const long =
    "a reason that goes on and on, with averyverylongwordthatdoesnotfitintoanylineofthisbox at its end";
  const many = Array.from({ length: 12 }, (_, n) => `${n} ${long}`);
  const { boxes, width, height } = layOut(
    diagramOf(
      flowOf(
        rows({
          ...followed,
          papers: [
            ...(followed.papers ?? []),
            ...many.map(
              (reason) => ({ way: "other", status: "rejected", reason, stage: "screening", n: 1 }) as const,
            ),
          ],
        }),
      ),
    ),
  );
  for (const [at, one] of boxes.entries()) {
    expect(one.x >= 0 && one.y >= 0 && one.x + one.width <= width && one.y + one.height <= height).toBe(true);
    const met = boxes
      .slice(at + 1)
      .filter(
        (other) =>
          one.x < other.x + other.width &&
          other.x < one.x + one.width &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      );
    expect(met).toEqual([]);
  }
  const texts = boxes.flatMap((box) => box.texts.map((lines) => lines.map(({ text }) => text).join(" ")));
  expect(texts).toContain("5 other reasons (n = 5)");
});

test("RL-7, RL-104, RL-120: the table has the template's columns, empty cells for what is unknown, and no formula", () => {
  const withReports = rows({
    ...followed,
    papers: [
      ...(followed.papers ?? []),
      { way: "databases", status: "rejected", reason: "fulltext:=1+1; no, data", stage: "fulltext", n: 2 },
    ],
    hasFullTexts: true,
  });
  const read = (flow: FlowRows) =>
    new Map(
      parse(templateText(flowOf(flow)), { columns: true }).map((row) => {
        const { data = "", n } = row as Record<string, string>;
        expect(Object.keys(row as object)).toEqual([...templateColumns]);
        return [data, n];
      }),
    );
  const bare = read(rows());
  expect(bare.get("database_results")).toBe("1245");
  expect(bare.get("database_specific_results")).toBe("OpenAlex, 1200; RIS files, 45");
  expect(bare.get("records_excluded")).toBe("407");
  expect(bare.get("citations_results")).toBe("");
  expect(bare.get("dbr_sought_reports")).toBe("");
  const full = read(withReports);
  expect(full.get("citations_results")).toBe("60");
  expect(full.get("dbr_excluded")).toBe("'=1+1 no data, 2");
  expect(full.get("dbr_sought_reports")).toBe("25");
  expect(full.get("other_sought_reports")).toBe("60");
  expect([...full.values()].join()).not.toMatch(/NaN|Infinity|undefined|null/);
});
