import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fail, type WritError } from "../contract/index.ts";
import { temporaryFolder } from "./folder.fixture.ts";
import { quote, storeError, storing, storingUnder } from "./store-error.ts";
import { writeAtomic } from "./write-atomic.ts";

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: refused, open '/home/ana/secret/x'`), { code });
}

describe("storeError", () => {
  test.each(["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EBUSY", "EMFILE", "ENOTDIR", "EIO"])(
    "WS-98: %s is STORE_ERROR with exit code 5 and the relative path",
    (code) => {
      const error = storeError(systemError(code), ".writ/workspace/applied.json").toObject();
      expect(error).toMatchObject({ code: "STORE_ERROR", exit_code: 5, details: { errno: code } });
      expect(error.message).toContain(".writ/workspace/applied.json");
    },
  );

  test("CT-12: no absolute path stands in the error, whether from the system or from the caller", () => {
    for (const what of ["/home/ana/secret/keys.json", "C:\\Users\\ana\\keys.json"]) {
      const text = JSON.stringify(storeError(systemError("EACCES"), what).toObject());
      expect(text).toContain("keys.json");
      expect(text).not.toMatch(/home|Users|ana/);
    }
  });

  test("an error of the system without an entry of its own is named by its code", () => {
    expect(storeError(systemError("EXDEV"), "a").toObject()).toMatchObject({
      code: "STORE_ERROR",
      cause: expect.stringContaining("EXDEV"),
    });
  });

  test("a WritError stays what it is, and a defect is not blamed on the disk", () => {
    const limit = fail("E_LIMIT", { message: "m", cause: "c", remediation: "r" });
    expect(storeError(limit, "a")).toBe(limit);
    expect(storeError(new TypeError("x is undefined"), "a").code).toBe("INTERNAL_ERROR");
    expect(storeError(systemError("ERR_INVALID_ARG_TYPE"), "a").code).toBe("INTERNAL_ERROR");
  });

  test("WS-98: a real write below a file is STORE_ERROR", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "file"), "");
    const work = storing("file/x", () => writeAtomic(join(folder, "file/x"), "text"));
    await expect(work).rejects.toMatchObject({
      code: "STORE_ERROR",
      failure: { details: { path: "file/x", errno: "ENOTDIR" } },
    });
  });
});

test("a quoted word comes through a shell unchanged", async () => {
  const folder = await temporaryFolder();
  for (const word of ["a/b.txt", "it's", "$(touch x)", "a b", "-rf", "`id`", "ñ"]) {
    await mkdir(folder, { recursive: true });
    expect(execFileSync("sh", ["-c", `printf %s ${quote(word)}`], { cwd: folder, encoding: "utf8" })).toBe(
      word,
    );
  }
});

describe("WS-98: the error names what the system refused", () => {
  const refused = (what: string, path: string): unknown =>
    storeError(Object.assign(systemError("EACCES"), { path }), what).toObject().details?.path;
  test.each([
    [".writ/workspace.json", "/srv/w/.writ", ".writ"],
    [".writ/workspace", "/srv/w/.writ/workspace/run.lock", ".writ/workspace/run.lock"],
    [".writ/workspace/applied.json", "/srv/w/.writ/workspace", ".writ/workspace"],
    [".writ", "/srv/w/.writ/.x.1-0123456789ab.writ-tmp", ".writ"],
    ["workspace.yml", "/srv/workspace.yml/else", "workspace.yml"],
    ["cache", "/srv/cache/ana/writ/git", "cache"],
    [".writ/x", "/home/ana/other", ".writ/x"],
  ])("for %s, refused at %s, it names %s", (what, path, named) => {
    expect(refused(what, path)).toBe(named);
  });
  test("below a word that stands for a folder, and never a path outside of it", async () => {
    const at = (path: string) =>
      storingUnder(
        "/srv/ana/writ",
        () => Promise.reject(Object.assign(systemError("EACCES"), { path })),
        "cache",
      ).catch((error: WritError) => error.failure.details?.path);
    expect(await at("/srv/ana/writ/git/ab/x.lock")).toBe("cache/git/ab/x.lock");
    expect(await at("/srv/ana/writ")).toBe("cache");
    expect(await at("/srv/ana/secret")).toBe("secret");
  });
});
