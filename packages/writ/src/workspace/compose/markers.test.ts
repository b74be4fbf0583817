import { describe, expect, test } from "vitest";
import { markerLine, markersDamaged, parseMarkers, type MarkerName } from "./markers.ts";

const hs = markerLine("header-start");
const he = markerLine("header-end");
const es = markerLine("editable-start");
const ee = markerLine("editable-end");
const parse = (...lines: string[]) => parseMarkers(Buffer.from(lines.join("\n")));

function damageOf(...lines: string[]) {
  const parsed = parse(...lines);
  if (parsed.state !== "damaged") throw new Error(`the text is ${parsed.state}`);
  return parsed.damage;
}

describe("WS-76, WS-77: valid markers", () => {
  test("both pairs are found, in bytes", () => {
    const text = `ñ\n${hs}\ngen\n${he}\n\n${es}\nnotes\n${ee}`;
    const bytes = Buffer.from(text);
    const parsed = parseMarkers(bytes);
    if (parsed.state !== "valid" || !parsed.editable) throw new Error("not valid");
    expect(bytes.toString("utf8", parsed.generated.innerStart, parsed.generated.innerEnd)).toBe("gen\n");
    expect(bytes.toString("utf8", parsed.editable.innerStart, parsed.editable.innerEnd)).toBe("notes\n");
    expect(parsed.editable.end).toBe(bytes.length);
  });

  test("the editable pair may be absent, and may stand first", () => {
    expect(parse(hs, he)).toMatchObject({ state: "valid" });
    expect(parse(es, ee, hs, he)).toMatchObject({ state: "valid" });
  });

  test("trailing blanks and CR are ignored, also behind a byte-order mark", () => {
    const parsed = parseMarkers(Buffer.from(`\uFEFF${hs} \t\r\n${he}  \r\n`));
    expect(parsed).toMatchObject({ state: "valid", generated: { start: 3, eol: "\r\n" } });
  });
});

describe("WS-77: what does not count", () => {
  test.each([
    ["indented", ` ${hs}`],
    ["quoted in prose", `The line \`${hs}\` starts it.`],
    ["followed by text", `${hs} x`],
    ["of another spelling", "<!--@awac:header-start-->"],
  ])("a marker that is %s", (_, line) => {
    expect(parse(line, "text").state).toBe("unmarked");
  });

  test.each([
    ["backticks", "```md", "```"],
    ["tildes", "~~~", "~~~~  "],
    ["an indented fence", "   ````", "  `````"],
  ])("a marker inside a fence of %s", (_, open, close) => {
    expect(parse("a", open, hs, he, close, "b").state).toBe("unmarked");
    expect(parse(open, hs, close, hs, he).state).toBe("valid");
  });

  test("a shorter fence, another character, or an info string closes nothing", () => {
    expect(parse("````", "```", hs, "~~~~", "````js", "````", hs, he).state).toBe("valid");
  });

  test("a fence that is never closed, is indented by four, or closes on its own line is none", () => {
    expect(parse("```", hs, he, es, ee).state).toBe("valid");
    expect(parse("    ```", hs, he, "```").state).toBe("valid");
    expect(parse("```code```", hs, he, "```").state).toBe("valid");
  });

  test("many fences without an end cost no more than one look each", () => {
    const lines = Array.from({ length: 200_000 }, () => "```js");
    expect(parse([...lines, hs, he].join("\n")).state).toBe("valid");
  });
});

describe("WS-77: damage", () => {
  const all: Record<MarkerName, string> = {
    "header-start": hs,
    "header-end": he,
    "editable-start": es,
    "editable-end": ee,
  };

  test.each(Object.keys(all) as MarkerName[])("without %s it says which line is missing", (name) => {
    const rest = Object.values(all).filter((line) => line !== all[name]);
    const damage = damageOf("top", ...rest);
    expect(damage.missing).toEqual([all[name]]);
    expect(damage.markers).toEqual(rest.map((marker, i) => ({ marker, line: i + 2 })));
  });

  test.each(Object.keys(all) as MarkerName[])("a second %s is told with its lines", (name) => {
    expect(damageOf(hs, he, es, ee, all[name]).problems[0]).toMatch(`${name} stands 2 times (lines `);
  });

  test.each([
    ["an end before its start", [he, hs]],
    ["editable markers turned round", [hs, he, ee, es]],
    ["regions that interleave", [hs, es, he, ee]],
    ["one region inside the other", [hs, es, ee, he]],
    ["an editable pair alone", [es, ee]],
  ])("%s", (_, lines) => {
    expect(parse(...lines).state).toBe("damaged");
  });

  test("a marker inside a fence is listed with the line that opened it", () => {
    const damage = damageOf(hs, he, es, "```", "notes", ee, "", "```");
    expect(damage.missing).toEqual([ee]);
    expect(damage.markers.at(-1)).toEqual({ marker: ee, line: 6, fence_line: 4 });
    const error = markersDamaged([{ file: "CLAUDE.md", ...damage }]);
    expect(error.failure.remediation).toBe(
      "In CLAUDE.md, close the code block that line 4 opens before line 6; then run it again.",
    );
  });

  test("the error names every file, and the line to restore", () => {
    const one = { file: "CLAUDE.md", ...damageOf(hs, he, es) };
    const error = markersDamaged([one, { file: "AGENTS.md", ...damageOf(hs) }]);
    expect(error.code).toBe("E_MARKERS_DAMAGED");
    expect(error.failure.message).toBe(
      "The markers in CLAUDE.md, AGENTS.md are damaged; nothing was changed.",
    );
    expect(error.failure.cause).toContain(
      `CLAUDE.md: no ${ee} (found ${hs} at line 1; ${he} at line 2; ${es} at line 3).`,
    );
    expect(error.failure.remediation).toContain(`In CLAUDE.md, restore the line ${ee}`);
    expect(error.failure.details).toMatchObject({
      file: "CLAUDE.md",
      missing: [ee],
      files: [{}, { file: "AGENTS.md" }],
    });
  });
});
