import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AppliedFile } from "../swap/applied.ts";
import type { OnDisk } from "../swap/disk.ts";
import { draftOf } from "../swap/drafts.ts";
import { planFiles, type Output, type PlannedFile } from "./file-changeset.ts";
import { sha256 } from "../swap/hashes.ts";
import { recordFiles } from "../swap/record.ts";
import type { Choices } from "./settle.ts";

const text = fc.constantFrom("a", "b", "c");
const version = fc.option(text, { nil: undefined });
const side = fc.constantFrom<keyof Omit<Choices, "merge"> | "none">("theirs", "ours", "none");

const output = (path: string, bytes: string): Output => ({
  path,
  kind: "copy",
  mode: "100644",
  sha256: sha256(bytes),
  content: { kind: "bytes", bytes: Buffer.from(bytes) },
});

const recorded = (path: string, bytes: string): AppliedFile => ({
  path,
  kind: "copy",
  sha256: sha256(bytes),
  mode: "100644",
  size: bytes.length,
  mtime_ns: "1",
  ino: "1",
});

const found = (bytes: string | undefined): OnDisk => {
  if (bytes === undefined) return { kind: "absent" };
  const print = { size: bytes.length, mtime_ns: "1", ino: "1" };
  return { kind: "file", hash: sha256(bytes), mode: 0o644, print, bytes: Buffer.from(bytes) };
};

interface Versions {
  base: string | undefined;
  local: string | undefined;
  next: string | undefined;
}

function choicesOf(chosen: "theirs" | "ours" | "none"): Choices {
  return { merge: false, theirs: chosen === "theirs" ? ["."] : [], ours: chosen === "ours" ? ["."] : [] };
}

function plan({ base, local, next }: Versions, chosen: "theirs" | "ours" | "none" = "none"): PlannedFile {
  const path = "x";
  const [file] = planFiles({
    outputs: new Map(next === undefined ? [] : [[path, output(path, next)]]),
    recorded: new Map(base === undefined ? [] : [[path, recorded(path, base)]]),
    found: new Map([[path, found(local)]]),
    choices: choicesOf(chosen),
  });
  return (
    file ?? {
      path,
      kind: "copy",
      state: "user",
      step: "none",
      base: null,
      local: null,
      next: null,
      found: found(local),
    }
  );
}

/** What stands on disk, and what is recorded, once the plan is carried out. */
function after(versions: Versions, file: PlannedFile): Versions {
  const draft = draftOf(file);
  const local = !draft ? versions.local : draft.to === null ? undefined : versions.next;
  const [record] = recordFiles([file], new Map());
  const base = ["a", "b", "c"].find((bytes) => sha256(bytes) === record?.sha256);
  return { base, local, next: versions.next };
}

describe("the plan of one file", () => {
  const versions = fc.record({ base: version, local: version, next: version });

  test("WS-84: local bytes are never lost: they stay, were composed, or are kept as a backup", () => {
    fc.assert(
      fc.property(versions, side, (given, chosen) => {
        const file = plan(given, chosen);
        const then = after(given, file);
        const isKept = then.local === given.local;
        const wasOurs = given.local === undefined || given.local === given.base || given.local === given.next;
        expect(isKept || wasOurs || draftOf(file)?.backup === true).toBe(true);
      }),
    );
  });

  test("WS-84: unedited gives the new text, and a new text equal to the base gives the local one", () => {
    fc.assert(
      fc.property(versions, (given) => {
        const then = after(given, plan(given));
        const unedited = given.base !== undefined && given.local === given.base;
        const standsStill =
          given.base !== undefined && given.next === given.base && given.local !== undefined;
        expect(!unedited || then.local === given.next).toBe(true);
        expect(!standsStill || then.local === given.local).toBe(true);
      }),
    );
  });

  test("WS-95: a second run changes nothing", () => {
    fc.assert(
      fc.property(versions, side, (given, chosen) => {
        const then = after(given, plan(given, chosen));
        const again = plan(then);
        expect(draftOf(again)).toBeUndefined();
        expect(after(then, again)).toEqual(then);
      }),
    );
  });

  test("WS-84 row 4, WS-89: a file that nobody composes is never touched", () => {
    expect(plan({ base: undefined, local: "a", next: undefined })).toMatchObject({
      state: "user",
      step: "none",
    });
  });

  test("WS-88: a side that is taken means nothing to a file without a conflict", () => {
    const edited = { base: "a", local: "b", next: "a" };
    expect(plan(edited, "theirs")).toMatchObject({ state: "edited", step: "keep" });
  });
});
