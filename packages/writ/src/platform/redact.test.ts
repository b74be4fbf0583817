import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findSecrets, redact, redactTree } from "./redact.ts";

// Put together here, so that no scanner takes this file for a leak.
const body = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0";
const secrets: [kind: string, secret: string][] = [
  ["anthropic-key", `sk-ant-api03-${body}`],
  ["openai-key", `sk-${body}`],
  ["openai-key", `sk-proj-${body}`],
  ["github-token", `ghp_${body}`],
  ["github-token", `ghs_${body}`],
  ["github-pat", `github_pat_${body}`],
  ["gitlab-token", `glpat-${body.slice(0, 20)}`],
  ["aws-access-key-id", `AKIA${"Q7".repeat(8)}`],
  ["google-api-key", `AIza${body.slice(0, 35)}`],
  ["slack-token", `xoxb-${body}`],
  ["stripe-key", `sk_live_${body}`],
  ["stripe-key", `rk_test_${body}`],
  ["writ-token", `writ_${body}`],
];
const dashes = "-----";
const pem = (label: string) => `${dashes}BEGIN ${label}PRIVATE KEY${dashes}\n${body}\n${body}=\n`;
const pemEnd = (label: string) => `${dashes}END ${label}PRIVATE KEY${dashes}`;

describe("redact", () => {
  test.each(secrets)(
    "CT-12: a secret of the shape %s does not come through, wherever it stands",
    (kind, secret) => {
      for (const [before, after] of [
        ["", ""],
        ["x", "!"],
        ["key=", "\n"],
        ['{"k":"', '"}'],
        ["see ", " there"],
      ] as const) {
        const redacted = redact(before + secret + after);
        expect(redacted).toBe(`${before}[redacted:${kind}]${after}`);
      }
    },
  );

  test("CT-12: a private key goes from its BEGIN to its END line, or without one to the last line of its text", () => {
    for (const label of ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "]) {
      expect(redact(`a\n${pem(label)}${pemEnd(label)}\nb`)).toBe("a\n[redacted:pem-block]\nb");
      expect(redact(`a\n${pem(label)}\nnot the key`)).toBe("a\n[redacted:pem-block]\n\nnot the key");
    }
    expect(redact(`${dashes}BEGIN PUBLIC KEY${dashes}\nabc`)).toContain("abc");
  });

  test("CT-12: of a bearer header and of an assignment the name stays", () => {
    expect(redact(`Authorization: Bearer ${body}`)).toBe("Authorization: Bearer [redacted:bearer-token]");
    expect(redact(`api_key = "${body}"`)).toBe('api_key = "[redacted:assignment]"');
    expect(redact(`PASSWORD:${body}`)).toBe("PASSWORD:[redacted:assignment]");
    expect(redact(`{"access_token":"${body}"}`)).toBe('{"access_token":"[redacted:assignment]"}');
  });

  test("CT-12: who a URL logs in as goes, the rest of it stays", () => {
    expect(redact("postgres://writ:s3cret@db.example/writ")).toBe(
      "postgres://[redacted:url-userinfo]@db.example/writ",
    );
    expect(redact(`https://${body}@github.com/a/b`)).toBe("https://[redacted:url-userinfo]@github.com/a/b");
    expect(redact("https://ana:pw@host/x?q=a@b")).toBe("https://[redacted:url-userinfo]@host/x?q=a@b");
    for (const plain of [
      "ssh://git@github.com/a/b",
      "git@github.com:a/b",
      "https://host/@scope/pkg",
      "https://host:8080/a:b@c",
    ]) {
      expect(redact(plain)).toBe(plain);
    }
  });

  test("what only resembles a secret stays", () => {
    for (const text of [
      "password: hunter2",
      "sk-short",
      "Bearer of news",
      "ghp_",
      "the writ_workspace table",
      "AKIA12",
    ]) {
      expect(redact(text)).toBe(text);
    }
  });

  test("CT-12: no shape survives in any surroundings, and redacting twice changes nothing", () => {
    const part = fc.oneof(
      fc.constantFrom(...secrets.map(([, secret]) => secret), `Bearer ${body}`, pem("RSA "), pemEnd("RSA ")),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const once = redact(parts.join(" "));
        for (const [, secret] of secrets) expect(once).not.toContain(secret);
        expect(redact(once)).toBe(once);
        expect(findSecrets(once)).toEqual([]);
      }),
    );
  });

  test.each([
    pem(""),
    "sk-",
    "https://",
    "://:",
    "password=",
    "bearer ",
    `${dashes}BEGIN ${"A ".repeat(19)}`,
    "xoxb-",
    "@",
  ])("a megabyte of %j is read in one pass", (piece) => {
    // What is not linear in the length would never end.
    expect(redact(piece.repeat(Math.ceil(2 ** 20 / piece.length))).length).toBeGreaterThan(0);
  });
});

test("a tree is redacted string by string, keys included, and is not touched itself", () => {
  const tree = { note: `ghp_${body}`, list: [1, null, true, `x sk-${body}`], [`sk-${body}`]: "v" };
  expect(redactTree(tree)).toEqual({
    note: "[redacted:github-token]",
    list: [1, null, true, "x [redacted:openai-key]"],
    "[redacted:openai-key]": "v",
  });
  expect(tree.note).toBe(`ghp_${body}`);
});

test("what is found is told by shape and line, never by its text", () => {
  const text = `one\nkey ghp_${body} sk-${body}\n\n${pem("")}${pemEnd("")}\npassword=${body}\n`;
  const found = findSecrets(text);
  expect(found).toEqual([
    { kind: "github-token", line: 2 },
    { kind: "openai-key", line: 2 },
    { kind: "pem-block", line: 4 },
    { kind: "assignment", line: 8 },
  ]);
});
