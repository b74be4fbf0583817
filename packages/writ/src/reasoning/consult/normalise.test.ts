import { describe, expect, test } from "vitest";
import { normalise } from "./normalise.ts";

const read = (text: string) => normalise(text, "advisor:one");
const answer = (more: object = {}) => JSON.stringify({ conclusion: "c", stance: "supports", ...more });

describe("from text to answer", () => {
  test.for([
    ["prose around it", `Well, ${answer()} I think.`],
    ["an example before it", `Like {"example": true}: ${answer()}`],
    ["a stray brace after it", `${answer()} }`],
    ["a stray brace before it", `{ ${answer()}`],
    ["a fence", `\`\`\`json\n${answer()}\n\`\`\``],
    ["an object around it", `{"answer": ${answer()}}`],
    ["braces within a string", answer({ conclusion: 'c } "{' })],
  ] as const)("RS-91: %s does no harm", ([, text]) => {
    expect(read(text)).toMatchObject({
      answer: { stance: "supports", origin: "advisor:one", trust: "data" },
    });
  });
  test.for([
    ["", "empty"],
    [" \n", "empty"],
    ["no object", "malformed"],
    ['{"stance": "supports"}', "malformed"],
    ['{"conclusion": ""}', "malformed"],
    ['{"conclusion": "\\u200b"}', "malformed"],
    ['{"conclusion": 3}', "malformed"],
    ["x".repeat(1024 * 1024 + 1), "malformed"],
  ] as const)("RS-91: %j is %s", ([text, status]) => {
    expect(read(text)).toMatchObject({ status });
  });
  test("RS-91: texts are cut, lists bounded, and what is unknown is dropped", () => {
    const found = read(
      answer({
        conclusion: "x".repeat(5000),
        stance: "agrees",
        confidence: "total",
        risks: [1, " ", "y".repeat(900), null, ...Array.from({ length: 26 }, (_, i) => `risk ${i}`)],
        vote: 3,
      }),
    );
    expect(found).toMatchObject({ answer: { stance: "inconclusive", assumptions: [] } });
    const { answer: kept } = found as {
      answer: Record<string, unknown> & { risks: string[]; conclusion: string };
    };
    expect([kept.conclusion.length, kept.risks.length, kept.risks[0]?.length]).toEqual([1000, 20, 400]);
    expect([kept.vote, kept.confidence]).toEqual([undefined, undefined]);
  });
  test("RS-91: two hundred beginnings are tried, whatever the text", () => {
    expect(read("{".repeat(200_000))).toMatchObject({ status: "malformed" });
    expect(read(`${"{".repeat(250)}${answer()}`)).toMatchObject({ status: "malformed" });
  });
});
