import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cockpitPages } from "../../packages/writ/src/surfaces/http/page.ts";
import { coupledFiles } from "../../packages/writ/src/reasoning/check/coupling.ts";

test("RS-113: the cockpit knows no advisor, program, vendor or model by name", () => {
  const files = globSync("packages/cockpit/src/**/*.{ts,tsx}").map((file) => ({
    file,
    text: readFileSync(file, "utf8"),
  }));
  expect(files.map(({ file }) => file)).toContain("packages/cockpit/src/reasoning/advisors.tsx");
  expect(coupledFiles(files)).toEqual([]);
});

test("RS-81: the cockpit has no way to make markup of a text", () => {
  const files = globSync("packages/cockpit/src/**/*.{ts,tsx}");
  const markup = /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write/;
  expect(files.filter((file) => markup.test(readFileSync(file, "utf8")))).toEqual([]);
});

test("RN-12: the server knows at which addresses the cockpit has a page", () => {
  const pages = readFileSync("packages/cockpit/src/pages.ts", "utf8");
  const paths = [...pages.matchAll(/path: "([^"]+)"/g)].map(([, path]) => path);
  expect(paths).toEqual(["/", ...cockpitPages]);
});
