import { connect } from "node:net";
import { homedir } from "node:os";
import { expect, test } from "vitest";

const outcomeOf = (options: { host: string; port: number }): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(options);
    socket.on("error", (error) => resolve(error.message));
    socket.on("connect", () => resolve("connected"));
  });

test.each(["198.51.100.1", "2001:db8::1", "writ.invalid"])(
  "WS-137: a test that reaches for %s fails at once, whatever it wanted there",
  async (host) => {
    expect(await outcomeOf({ host, port: 443 })).toBe(`A test reached for the public network: ${host}`);
    await expect(fetch(`http://${host.includes(":") ? `[${host}]` : host}/`)).rejects.toMatchObject({
      cause: { message: expect.stringContaining("public network") as string },
    });
  },
);

test("WS-137: no test sees a home folder", () => {
  expect(homedir()).toBe("/nonexistent");
});
