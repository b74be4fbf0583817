import { expect, test } from "vitest";
import { classifyGitFailure, splitTrace } from "./git-failures.ts";

const https = { url: "https://github.com/acme/agent-stack.git", label: "acme" };
const ssh = { url: "git@git.example.org:acme/agent-stack.git", label: "acme" };

function classify(
  stderr: string,
  more: { source?: typeof https & { shortcutOrg?: string }; status?: number } = {},
) {
  const failure = { code: 128, stderr, http: more.status === undefined ? {} : { status: more.status } };
  return classifyGitFailure(failure, {
    command: "fetch",
    source: more.source ?? https,
    timeoutMs: 300_000,
  }).toObject();
}

test.each([
  ["fatal: could not read Username for 'https://github.com': terminal prompts disabled", "E_AUTH_REQUIRED"],
  ["fatal: Authentication failed for 'https://github.com/acme/agent-stack.git/'", "E_AUTH_REQUIRED"],
  ["fatal: unable to access 'https://x/': The requested URL returned error: 403", "E_AUTH_REQUIRED"],
  [
    "git@git.example.org: Permission denied (publickey,password).\nfatal: Could not read from remote repository.",
    "E_AUTH_REQUIRED",
  ],
  ["fatal: repository 'https://github.com/acme/agent-stack.git/' not found", "E_REPO_NOT_FOUND"],
  ["ERROR: Repository not found.\nfatal: Could not read from remote repository.", "E_REPO_NOT_FOUND"],
  [
    "fatal: '/x/y.git' does not appear to be a git repository\nfatal: Could not read from remote repository.",
    "E_REPO_NOT_FOUND",
  ],
  ["fatal: https://x/info/refs not valid: is this a git repository?", "E_REPO_NOT_FOUND"],
  ["fatal: transport 'ext' not allowed", "E_UNSAFE_URL"],
  ["error: unable to write file: No space left on device", "STORE_ERROR"],
])("WS-50: %s is %s", (stderr, code) => {
  expect(classify(stderr).code).toBe(code);
});

test.each([
  ["fatal: unable to access 'https://x/': Could not resolve host: x"],
  ["fatal: unable to access 'https://x/': Failed to connect to x port 443: Connection refused"],
  ["fatal: unable to access 'https://x/': Recv failure: Connection reset by peer"],
  ["fatal: unable to access 'https://x/': gnutls_handshake() failed: Handshake failed"],
  ["fatal: unable to access 'https://x/': SSL certificate problem: self-signed certificate"],
  ["ssh: connect to host x port 22: Connection refused\nfatal: Could not read from remote repository."],
  ["fetch-pack: unexpected disconnect while reading sideband packet\nfatal: early EOF"],
  ["fatal: unable to access 'https://x/': The requested URL returned error: 502"],
])("WS-50: %s is a network failure that may pass", (stderr) => {
  const error = classify(stderr);
  expect(error).toMatchObject({ code: "NETWORK_ERROR", retryable: true });
  expect(error).not.toHaveProperty("subcode");
});

test.each([
  ["fatal: unable to access 'https://x/': The requested URL returned error: 504"],
  ["error: RPC failed; curl 28 Operation too slow. Less than 1000 bytes/sec transferred the last 30 seconds"],
  ["ssh: connect to host x port 22: Connection timed out\nfatal: Could not read from remote repository."],
])("WS-50: %s is a time-out, not to be tried again", (stderr) => {
  expect(classify(stderr)).toMatchObject({
    code: "NETWORK_ERROR",
    subcode: "UPSTREAM_TIMEOUT",
    retryable: false,
  });
});

test("WS-50: 429 is RATE_LIMITED with the wait the server asked for", () => {
  const trace = [
    "12:00:00.000001 http.c:800              <= Recv header: HTTP/1.1 429 Too Many Requests",
    "12:00:00.000002 http.c:800              <= Recv header: Retry-After: 30",
    "fatal: unable to access 'https://x/': The requested URL returned error: 429",
  ].join("\n");
  const failure = { code: 128, ...splitTrace(trace) };
  const error = classifyGitFailure(failure, {
    command: "fetch",
    source: https,
    timeoutMs: 300_000,
  }).toObject();
  expect(error).toMatchObject({
    code: "NETWORK_ERROR",
    subcode: "RATE_LIMITED",
    retry_after_seconds: 30,
    retryable: true,
  });
  expect(error.cause).not.toContain("http.c");
});

test("WS-50: a repository of another user's is named with the command that trusts it", () => {
  const source = { url: "file:///srv/a%20b/stack.git", label: "acme" };
  const error = classify(
    "fatal: detected dubious ownership in repository at '/srv/a b/stack.git'\nfatal: Could not read from remote repository.",
    { source },
  );
  expect([error.code, error.remediation]).toEqual([
    "STORE_ERROR",
    "If you trust its owner: git config --global --add safe.directory '/srv/a b/stack.git'",
  ]);
});

test("WS-50: authority is asked for with the login command of the host", () => {
  const refused = "fatal: could not read Username";
  expect(classify(refused).remediation).toContain("gh auth login");
  expect(classify(refused).message).toContain("is private, or does not exist");
  expect(classify("x@y: Permission denied (publickey).", { source: ssh }).remediation).toContain(
    "ssh -T git@git.example.org",
  );
});

test("WS-50: a shortcut whose repository is missing or hidden leads to writ scaffold stack", () => {
  const source = { ...https, shortcutOrg: "acme" };
  expect(classify("fatal: repository 'https://x/' not found", { source })).toMatchObject({
    code: "E_LAZY_STACK",
    remediation: expect.stringContaining("writ scaffold stack acme") as string,
  });
  expect(classify("fatal: could not read Username", { source }).remediation).toContain(
    "writ scaffold stack acme",
  );
});

test("WS-50: what the remote writes in its own lines does not decide", () => {
  expect(
    classify("remote: Repository not found.\nfatal: unable to access 'https://x/': Could not resolve host: x")
      .code,
  ).toBe("NETWORK_ERROR");
});

test("WS-48: a secret in git's output does not reach the message", () => {
  const told = "fatal: unable to access 'https://user:hunter2hunter2@x/': Could not resolve host: x";
  expect(JSON.stringify(classify(told))).not.toContain("hunter2");
});

test("CT-12: a message shows no absolute path of this machine, and URLs whole", () => {
  const told = (text: string) => classify(`fatal: ${text}`).cause;
  expect(told("'/home/ana/.cache/writ/x.git' does not appear to be a git repository")).toContain("'…/x.git'");
  expect(told("repository 'https://github.com/acme/x.git/' not found")).toContain(
    "'https://github.com/acme/x.git/'",
  );
});
