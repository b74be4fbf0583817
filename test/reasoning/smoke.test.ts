import { expect, test } from "vitest";
import { bedThree, concluding } from "./bed.ts";

test("RS-83: smoke", async () => {
  await using bed = await bedThree();
  const a = await bed.assess("storage", "high");
  const consulted = await bed.ok<any>("reasoning.consult", { assessment: a });
  console.log(JSON.stringify(consulted, null, 1).slice(0, 3000));
  const status = await bed.ok<any>("reasoning.status", {});
  console.log(JSON.stringify(status.state.timeline, null, 1), status.report);
  const ids = consulted.results.map((r: any) => r.consultation);
  await bed.record(concluding(a, { consultations: ids }));
  const check = await bed.call("reasoning.check");
  console.log(JSON.stringify(check, null, 1).slice(0, 3000));
  expect(check.ok).toBe(true);
});
