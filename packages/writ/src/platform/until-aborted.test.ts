import { expect, test } from "vitest";
import { untilAborted } from "./until-aborted.ts";

async function* silent(): AsyncGenerator<string> {
  yield "first";
  await new Promise(() => {});
}

async function* words(): AsyncGenerator<string> {
  yield "one";
  yield "two";
}

test("every item of a stream comes through, in order", async () => {
  const got: string[] = [];
  for await (const word of untilAborted(words(), new AbortController().signal)) got.push(word);
  expect(got).toEqual(["one", "two"]);
});

test("a stream that falls silent is left when the signal fires, with the signal's reason", async () => {
  const controller = new AbortController();
  const got: string[] = [];
  const read = async () => {
    for await (const word of untilAborted(silent(), controller.signal)) {
      got.push(word);
      queueMicrotask(() => controller.abort(new Error("enough")));
    }
  };
  await expect(read()).rejects.toThrow("enough");
  expect(got).toEqual(["first"]);
});

test("nothing is read once the signal has fired", async () => {
  const read = untilAborted(silent(), AbortSignal.abort(new Error("before")));
  await expect(read.next()).rejects.toThrow("before");
});

test("a reader that stops early closes the stream", async () => {
  const closed = Promise.withResolvers<string>();
  async function* source(): AsyncGenerator<string> {
    try {
      yield "one";
      yield "two";
    } finally {
      closed.resolve("closed");
    }
  }
  for await (const word of untilAborted(source(), new AbortController().signal)) if (word === "one") break;
  expect(await closed.promise).toBe("closed");
});
