import { expect, test } from "vitest";
import type { WritError } from "../../contract/index.ts";
import { openFailure, workFailure } from "./failures.ts";

const { signal } = new AbortController();
const system = (code: string) => Object.assign(new Error(`${code}: it failed, write`), { code });
const full = {
  code: "STORE_ERROR",
  exit_code: 5,
  cause: expect.stringMatching(/No space is left on the disk|The disk quota is used up/) as string,
  remediation: "Free some space and run the command again: df -h .",
};

test.each([
  new Error('IO Error: Could not write file "/w/library.duckdb": No space left on device'),
  new Error(
    'IO Error: Could not write to file "/w/library.duckdb.wal" - attempted to write 0 bytes: Success',
  ),
  new Error(
    'TransactionContext Error: Failed to commit: Could not write file "/w/x": No space left on device',
  ),
  new Error(
    'FATAL Error: Failed to create checkpoint because of error: Could not write file "/w/x": No space left on device',
  ),
  new Error(
    "Out of Memory Error: failed to offload data block of size 256.0 KiB (1.0 GiB/1.0 GiB used).\nThis limit was set by the 'max_temp_directory_size' setting.",
  ),
  new Error('IO Error: Could not fsync file "/w/x": Disk quota exceeded'),
  new Error("database or disk is full"),
  new Error("There is not enough space on the disk."),
  system("ENOSPC"),
  system("EDQUOT"),
])("RL-181: a disk that is full is told as that: %s", (error) => {
  expect((workFailure(error, { signal }) as WritError).toObject()).toMatchObject(full);
});

test("RL-19: a library that cannot be opened for want of room is not taken for a damaged one", () => {
  for (const text of ["Could not write file: No space left on device", "attempted to write 0 bytes: Success"])
    expect((openFailure(new Error(`IO Error: ${text}`), undefined) as WritError).toObject()).toMatchObject(
      full,
    );
  expect(
    openFailure(new Error("IO Error: The file is not a valid DuckDB database file!"), undefined),
  ).toMatchObject({
    code: "E_LIBRARY_CORRUPT",
  });
});

test("RL-181: a commit that the system refused is its fault, a defect stays one, and what the folder is called is told", () => {
  const refused = new Error(
    'TransactionContext Error: Failed to commit: Could not write file "/w/x": Input/output error',
  );
  expect(workFailure(refused, { signal })).toMatchObject({
    code: "STORE_ERROR",
    failure: { cause: "The file system refused it." },
  });
  const defect = new TypeError("x is undefined");
  expect(workFailure(defect, { signal })).toBe(defect);
  expect(workFailure(system("EROFS"), { signal, folder: "exports" })).toMatchObject({
    code: "STORE_ERROR",
    failure: { details: { path: "exports", errno: "EROFS" } },
  });
});
