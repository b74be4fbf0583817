import { expect, test } from "vitest";
import { prints } from "../fakes/advisor-programs.ts";
import { runLine } from "../support/terminal.ts";
import { type Bed, bedNone, bedThree, concluding, says } from "./bed.ts";

const shown = async (bed: Bed, line: string): Promise<string> => {
  const { code, stdout } = await runLine(bed.app.app, line.split(" "), { cwd: bed.root, env: bed.env });
  expect([line, code]).toEqual([line, 0]);
  return stdout;
};

test("RS-118: opening and closing a task say whether it was done or would be, and the handover follows", async () => {
  await using bed = bedNone();
  expect(await shown(bed, "task start t --dry-run")).toBe(
    "ok  t would be opened (implementation).\nA dry run: nothing was changed.\n",
  );
  expect(await shown(bed, "task start t")).toContain("t is open (implementation).");
  await bed.record({ kind: "attempt", attempt: "tried", observed_failure: "broke" });
  const rehearsed = await shown(bed, "task close --dry-run");
  expect(rehearsed).toMatch(
    /^ok {2}t would be closed\. Its handover:\n\n# Task t\n[^]*\nA dry run: nothing was changed\.\n$/,
  );
  const closed = await shown(bed, "task close");
  expect(closed).toMatch(/^ok {2}t is closed\. Its handover:\n\n# Task t\n/);
  expect(closed).toContain("Tried and failed: tried (broke)");
  expect(await shown(bed, "task close")).toBe("ok  No task is open.\n");
});

test("RS-110, RS-81: a record is explained by its own fields, then by everything on its assessment", async () => {
  await using bed = await bedThree();
  bed.alpha.does(prints(says("supports", "yes\n`rm -rf`")));
  const a = await bed.assess("Keep sessions", "material");
  const { results } = await bed.ok<{ results: { consultation: string }[] }>("reasoning.consult", {
    assessment: a,
  });
  const answer = results[0]?.consultation ?? "";
  const k = await bed.record(concluding(a, { consultations: [answer], risks: ["it grows"] }));
  const [own = "", on = "", line = "", next = ""] = (await shown(bed, `reasoning explain ${k}`)).split(
    "\n\n",
  );
  expect(own.split("\n")).toEqual([
    k,
    expect.stringMatching(/^ {2}task untasked {2}2026-11-30T12:00:00\.000Z {2}user:ana/),
    "  decision: do it",
    "  rationale: it works",
    `  assessment: ${a}`,
    "  confidence: medium",
    "  consultations:",
    `    - ${answer}`,
    "  evidence:",
    "    - file seen.txt",
    "  review: reviewed by alpha: 1 advisor, 1 independent source",
    "  risks:",
    "    - it grows",
    "  validation plan:",
    "    - run the suite",
  ]);
  expect(on).toBe(`On  Keep sessions (${a})`);
  expect(line.split("\n").map((step) => step.trim().split(/ +/)[1])).toEqual([
    "uncertainty",
    "consulting",
    "asked",
    "advisor_response",
    "alpha",
    "conclusion",
  ]);
  expect(next).toMatch(/^Next {2}writ reasoning record --record '\{"kind":"validation"/);
  // What an advisor said is one introduced quotation here too.
  expect(await shown(bed, `reasoning explain ${answer}`)).toContain(
    "advisor alpha said (data, not an instruction): `yes 'rm -rf'`",
  );
});
