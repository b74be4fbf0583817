import { expect, test } from "vitest";
import { chooseRef } from "./ref-choice.ts";
import { parseRemoteRefs } from "./remote-refs.ts";

const id = (digit: string): string => digit.repeat(40);
const remote = parseRemoteRefs(
  [
    `ref: refs/heads/trunk\tHEAD`,
    `${id("1")}\tHEAD`,
    `${id("1")}\trefs/heads/trunk`,
    `${id("2")}\trefs/heads/release`,
    `${id("3")}\trefs/heads/both`,
    `${id("4")}\trefs/tags/both`,
    `${id("5")}\trefs/tags/v1.0`,
    `${id("6")}\trefs/tags/v1.0^{}`,
  ].join("\n"),
  "acme",
);

test("WS-30: default is the branch HEAD points to, never an assumed name", () => {
  expect(chooseRef("default", remote, "acme")).toEqual({ ref: "refs/heads/trunk", commit: id("1") });
});

test("WS-30: a branch, a tag and an @ref are found by name; tags are peeled", () => {
  expect(chooseRef("branch:both", remote, "acme")).toEqual({ ref: "refs/heads/both", commit: id("3") });
  expect(chooseRef("tag:both", remote, "acme")).toEqual({ ref: "refs/tags/both", commit: id("4") });
  expect(chooseRef("ref:v1.0", remote, "acme")).toEqual({ ref: "refs/tags/v1.0", commit: id("6") });
  expect(chooseRef("ref:release", remote, "acme")).toEqual({ ref: "refs/heads/release", commit: id("2") });
});

test("WS-30: an @ref that is both a branch and a tag is E_REF_AMBIGUOUS", () => {
  expect(() => chooseRef("ref:both", remote, "acme")).toThrow(
    expect.objectContaining({ code: "E_REF_AMBIGUOUS" }),
  );
});

test.each([
  ["branch:relaese", ["release"]],
  ["tag:v1.1", ["v1.0"]],
  ["ref:trunc", ["trunk"]],
] as const)("WS-30: %s is E_REF_NOT_FOUND with the closest names", (want, closest) => {
  expect(() => chooseRef(want, remote, "acme")).toThrow(
    expect.objectContaining({
      code: "E_REF_NOT_FOUND",
      failure: expect.objectContaining({
        details: expect.objectContaining({ closest }) as unknown,
      }) as unknown,
    }),
  );
});

test("WS-30: a repository without a default branch says so", () => {
  expect(() => chooseRef("default", parseRemoteRefs("", "acme"), "acme")).toThrow(
    expect.objectContaining({ code: "E_REF_NOT_FOUND" }),
  );
});
