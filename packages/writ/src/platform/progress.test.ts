import { expect, test } from "vitest";
import type { Progress } from "../contract/index.ts";
import { createLog } from "./log.ts";
import { createProgress } from "./progress.ts";

const event = (phase: string, more: Partial<Progress> = {}): Progress => ({
  event: "progress",
  run: "r",
  phase,
  ...more,
});

function view(stream: { isTTY?: boolean; columns?: number }, quiet = false) {
  let text = "";
  const write = (more: string) => void (text += more);
  const progress = createProgress({ log: createLog({ write }), stream: { write, ...stream }, quiet });
  return { progress, text: () => text };
}

test("WS-133: without a terminal there is one [INFO] line at the start of each phase", () => {
  const { progress, text } = view({});
  for (const item of ["a", "b", "c"]) progress.show(event("fetch", { item, done: 1, total: 3 }));
  progress.show(event("compose", { message: "2 stacks" }));
  progress.end();
  expect(text()).toBe("[INFO] fetch\n[INFO] compose: 2 stacks\n");
});

test("WS-133: a phase that comes again in another run has its line again", () => {
  const { progress, text } = view({});
  progress.show(event("read"));
  progress.show({ ...event("read"), run: "other" });
  expect(text()).toBe("[INFO] read\n[INFO] read\n");
});

test("WS-133: on a terminal there is one bar, on one line, gone at the end", () => {
  const { progress, text } = view({ isTTY: true, columns: 60 });
  progress.show(event("fetch", { item: "acme/agent-stack", done: 1, total: 2 }));
  progress.show(event("fetch", { item: "b", done: 2, total: 2 }));
  progress.end();
  expect(text()).not.toContain("\n");
  const frames = text().split("\r").filter(Boolean);
  expect(frames[0]).toBe(`[${"#".repeat(10)}${"-".repeat(10)}] 1/2 fetch acme/agent-stack`);
  expect(frames[1]?.trimEnd()).toBe(`[${"#".repeat(20)}] 2/2 fetch b`);
  expect(frames.at(-1)?.trim()).toBe("");
  expect(text().endsWith("\r")).toBe(true);
});

test("WS-133: a bar is never as wide as its terminal, and shows no URL's user and no control character", () => {
  const { progress, text } = view({ isTTY: true, columns: 40 });
  progress.show(event("clone", { item: `\u001b[2J${"x".repeat(100)}` }));
  progress.show(event("clone", { item: "https://u:p@h/" }));
  for (const frame of text().split("\r")) expect(frame.length).toBeLessThan(40);
  expect(text()).not.toMatch(/\u001b|u:p/);
});

test("CT-15: a quiet run shows no progress", () => {
  for (const stream of [{}, { isTTY: true }]) {
    const { progress, text } = view(stream, true);
    progress.show(event("fetch"));
    progress.end();
    expect(text()).toBe("");
  }
});
