import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "./folder.fixture.ts";
import { pathFromRoot } from "./path-from-root.ts";

test("a typed path is relative to the folder one stands in, and what is not there to the root", async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, "a/b"), { recursive: true });
  for (const file of ["top.md", "a/x.md", "x.md"]) await writeFile(join(root, file), "");
  const typed = (base: string, path: string) =>
    pathFromRoot({ base: join(root, base), workspace: { root } }, path).path;
  expect(typed("a", "x.md")).toBe("a/x.md");
  expect(typed("a", "./x.md")).toBe("a/x.md");
  expect(typed("a/b", "../x.md")).toBe("a/x.md");
  expect(typed("a/b", "../../top.md")).toBe("top.md");
  expect(typed("a", "gone.md")).toBe("a/gone.md");
  expect(typed("a", "top.md")).toBe("top.md");
  expect(typed("a", "a/x.md")).toBe("a/x.md");
  expect(typed("a", ".")).toBe("a");
  expect(typed("a", "..")).toBe(".");
  expect(typed("", "x.md")).toBe("x.md");
  expect(typed("", "../x.md")).toBe("../x.md");
  expect(typed("a", "../../x.md")).toBe("../../x.md");
  expect(typed("..", "a/x.md")).toBe("a/x.md");
  expect(typed("..", join(root, "a/x.md"))).toBe("a/x.md");
  expect(typed("a", "/etc/passwd")).toBe("/etc/passwd");
  expect(pathFromRoot({ base: root }, "a")).toEqual({ path: "a", found: true });
});
