import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/fixtures/temp-folder.ts";
import { runProcess } from "./process.ts";

const env = { PATH: process.env.PATH ?? "" };
const sh = (script: string) => ({ command: "sh", args: ["-c", script], env, timeoutMs: 20_000 });

test("a program sees only the environment it is given and a closed stdin", async () => {
  const done = await runProcess({ ...sh("env; cat"), env: { ...env, ONLY: "this" } });
  expect(done.code).toBe(0);
  expect(done.stdout.toString()).toContain("ONLY=this");
  expect(done.stdout.toString()).not.toContain("HOME=");
});

test("an argument reaches the program as it is, whatever a shell would make of it", async () => {
  const done = await runProcess({
    command: "printf",
    args: ["%s", "$(touch canary); `id` *"],
    env,
    timeoutMs: 5_000,
  });
  expect(done.stdout.toString()).toBe("$(touch canary); `id` *");
});

test("at the time limit the whole process group dies, grandchildren too", async () => {
  using temp = tempFolder();
  const done = await runProcess({
    ...sh(`sh -c 'echo $$ > ${temp.file("pid")}; sleep 60' & wait`),
    timeoutMs: 300,
  });
  expect(done).toMatchObject({ timedOut: true, stopped: "timeout" });
  const pid = Number(readFileSync(temp.file("pid"), "utf8"));
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test("a program that ignores the polite signal is killed all the same", async () => {
  const done = await runProcess({ ...sh("trap '' TERM; while :; do sleep 0.05; done"), timeoutMs: 200 });
  expect(done.timedOut).toBe(true);
  expect(done.code).toBeNull();
});

test("an abort stops the program", async () => {
  const controller = new AbortController();
  const running = runProcess({ ...sh("sleep 60"), signal: controller.signal });
  controller.abort();
  expect((await running).stopped).toBe("abort");
});

test("a flood is cut at its bound and the program is stopped", async () => {
  const done = await runProcess({ ...sh("yes"), maxOutputBytes: 100_000 });
  expect(done.stopped).toBe("output");
  expect(done.stdout.length).toBeLessThanOrEqual(100_000);
});

test("a program that is not there is an error, not a result", async () => {
  await expect(
    runProcess({ command: "no-such-program-here", args: [], env, timeoutMs: 5_000 }),
  ).rejects.toThrow("ENOENT");
});

function isRunning(pid: number): boolean {
  // A zombie that nobody has waited for yet does not run.
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}
