import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { startGitHttpServer } from "../../../../test/fixtures/git-http-server.ts";
import { makeRecordingGit, type RecordedCall } from "../../../../test/fixtures/recording-git.ts";
import { makeHost } from "../../../../test/fixtures/repositories.ts";
import { fixtureEnvironment, runGit } from "../../../../test/fixtures/run-git.ts";
import { tempFolder } from "../../../../test/fixtures/temp-folder.ts";
import { openTestGit } from "../../../../test/fixtures/test-git.ts";

const source = (url: string) => ({ url, label: "t/core" });

test("WS-48: every call, local or remote, carries every guard", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" } });
  const recorder = makeRecordingGit(temp.file("bin"));
  const git = openTestGit(temp.path, {
    env: {
      ...fixtureEnvironment,
      HOME: temp.path,
      PATH: recorder.path,
      GIT_DIR: "/evil",
      GIT_EXTERNAL_DIFF: "evil",
      SSH_ASKPASS: "evil",
      WRIT_TOKEN: "secret",
    },
    protocols: ["https"],
  });
  await git.ok(["rev-parse", "HEAD"], { gitDir: repo.folder });
  await git.run(["ls-remote", "--end-of-options", repo.url], { network: source(repo.url) });
  const calls = recorder.calls();
  expect(calls.length).toBeGreaterThanOrEqual(3);
  for (const call of calls) expectGuards(call, temp.file("no-hooks"));
});

function expectGuards(call: RecordedCall, hooksDir: string): void {
  const settings = call.args.flatMap((argument, i) => (call.args[i - 1] === "-c" ? [argument] : []));
  expect(settings).toEqual(
    expect.arrayContaining([
      "credential.interactive=false",
      "core.askPass=",
      `core.hooksPath=${hooksDir}`,
      "core.fsmonitor=false",
      "submodule.recurse=false",
      "uploadpack.packObjectsHook=",
      "safe.bareRepository=explicit",
      "gc.auto=0",
      "http.lowSpeedLimit=1000",
      "http.lowSpeedTime=30",
    ]),
  );
  expect(call.stdinClosed).toBe(true);
  expect(call.env).toMatchObject({
    GIT_TERMINAL_PROMPT: "0",
    GCM_INTERACTIVE: "never",
    SSH_ASKPASS_REQUIRE: "never",
    GIT_ASKPASS: "",
    GIT_SSH_COMMAND: "ssh -o BatchMode=yes -o ConnectTimeout=15",
    GIT_ALLOW_PROTOCOL: "https",
    GIT_OPTIONAL_LOCKS: "0",
    LC_ALL: "C",
  });
  for (const name of ["GIT_DIR", "GIT_EXTERNAL_DIFF", "SSH_ASKPASS", "WRIT_TOKEN", "GIT_AUTHOR_NAME"]) {
    expect(call.env).not.toHaveProperty(name);
  }
}

test("WS-48: what the user set for ssh and TLS is used as it is", async () => {
  using temp = tempFolder();
  const recorder = makeRecordingGit(temp.file("bin"));
  const own = {
    GIT_SSH_COMMAND: "my-ssh -4",
    GIT_SSL_CAINFO: "/ca",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
  };
  const git = openTestGit(temp.path, { env: { ...fixtureEnvironment, PATH: recorder.path, ...own } });
  await git.run(["ls-remote", "--end-of-options", "ssh://git@localhost/x"], {
    network: source("ssh://git@localhost/x"),
  });
  expect(recorder.calls().at(-1)?.env).toMatchObject(own);
});

test("WS-48: a core.sshCommand of the user is not replaced", async () => {
  using temp = tempFolder();
  const config = temp.file("gitconfig");
  writeFileSync(config, "[core]\n\tsshCommand = my-ssh\n");
  const recorder = makeRecordingGit(temp.file("bin"));
  const git = openTestGit(temp.path, {
    env: { ...fixtureEnvironment, PATH: recorder.path, GIT_CONFIG_GLOBAL: config },
  });
  await git.run(["ls-remote", "--end-of-options", "ssh://git@localhost/x"], {
    network: source("ssh://git@localhost/x"),
  });
  expect(recorder.calls().at(-1)?.env).not.toHaveProperty("GIT_SSH_COMMAND");
});

test("WS-48: http is allowed to this machine only", async () => {
  using temp = tempFolder();
  const recorder = makeRecordingGit(temp.file("bin"));
  const git = openTestGit(temp.path, { env: { ...fixtureEnvironment, PATH: recorder.path } });
  for (const url of ["http://127.0.0.1:1/a/b", "http://example.invalid/a/b"]) {
    await git.run(["ls-remote", "--end-of-options", url], { network: source(url) });
  }
  const allowed = recorder
    .calls()
    .filter((call) => call.args.includes("ls-remote"))
    .map((call) => call.env.GIT_ALLOW_PROTOCOL);
  expect(allowed).toEqual(["https:ssh:file:http", "https:ssh:file"]);
});

test("WS-48: author and committer reach commits and nothing else", async () => {
  using temp = tempFolder();
  runGit(temp.path, ["init", "--quiet", temp.file("repo")]);
  const at = { gitDir: temp.file("repo", ".git"), workTree: temp.file("repo"), writes: true };
  const git = openTestGit(temp.path, {
    env: { ...fixtureEnvironment, GIT_AUTHOR_NAME: "Berta", GIT_AUTHOR_DATE: "1700000000 +0000" },
  });
  await git.ok(["commit", "--quiet", "--allow-empty", "-m", "one"], { ...at, commits: true });
  expect((await git.ok(["log", "-1", "--format=%an %at"], at)).toString().trim()).toBe("Berta 1700000000");
});

test("WS-48: hooks, file system monitors and outside diffs of a repository are not run", async () => {
  using temp = tempFolder();
  const canary = temp.file("canary");
  const repo = temp.file("repo");
  runGit(temp.path, ["init", "--quiet", repo]);
  writeFileSync(`${repo}/a`, "1");
  runGit(repo, ["add", "a"]);
  runGit(repo, ["commit", "--quiet", "-m", "one"]);
  writeFileSync(temp.file("run"), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
  mkdirSync(`${repo}/.git/hooks`, { recursive: true });
  writeFileSync(`${repo}/.git/hooks/pre-commit`, `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
  runGit(repo, ["config", "core.fsmonitor", temp.file("run")]);
  runGit(repo, ["config", "diff.external", temp.file("run")]);
  runGit(repo, ["config", "diff.x.textconv", temp.file("run")]);
  writeFileSync(`${repo}/.git/info/attributes`, "* diff=x\n");
  writeFileSync(`${repo}/a`, "2");
  const at = { gitDir: `${repo}/.git`, workTree: repo };
  const git = openTestGit(temp.path, { env: fixtureEnvironment });
  await git.ok(["status", "--porcelain"], at);
  expect((await git.ok(["diff", "HEAD"], at)).toString()).toContain("+2");
  await git.ok(["log", "-p", "-1"], at);
  await git.ok(["commit", "--quiet", "-a", "-m", "two"], { ...at, writes: true, commits: true });
  expect(existsSync(canary)).toBe(false);
});

test("WS-48: a call is stopped at its time limit with UPSTREAM_TIMEOUT, and not tried again", async () => {
  using temp = tempFolder();
  await using server = await startGitHttpServer(temp.path);
  server.behave({ stall: true });
  const git = openTestGit(temp.path, { networkTimeoutMs: 400 });
  const url = `${server.url}/t/core.git`;
  await expect(
    git.remote(["ls-remote", "--end-of-options", url], { network: source(url) }),
  ).rejects.toMatchObject({
    code: "NETWORK_ERROR",
    failure: { subcode: "UPSTREAM_TIMEOUT", retryable: false },
  });
  expect(server.requests).toHaveLength(1);
});

test("WS-48: output is bounded", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "x".repeat(10_000) } });
  const git = openTestGit(temp.path);
  const reading = git.ok(["cat-file", "blob", "HEAD:a"], { gitDir: repo.folder, maxBytes: 1_000 });
  await expect(reading).rejects.toMatchObject({ code: "E_LIMIT" });
});

test("WS-49: git older than 2.31 is E_TOOL_MISSING with the version that was found", async () => {
  using temp = tempFolder();
  writeFileSync(temp.file("git"), "#!/bin/sh\necho git version 2.30.9\n", { mode: 0o755 });
  const git = openTestGit(temp.path, { env: { PATH: temp.path } });
  await expect(git.version()).rejects.toMatchObject({
    code: "E_TOOL_MISSING",
    failure: { details: { found: "2.30.9", needed: "2.31" } },
  });
});

test("WS-49: no git at all is E_TOOL_MISSING too, and a new git is accepted", async () => {
  using temp = tempFolder();
  await expect(openTestGit(temp.path, { env: { PATH: temp.path } }).run(["status"])).rejects.toMatchObject({
    code: "E_TOOL_MISSING",
  });
  expect(await openTestGit(temp.path).version()).toMatch(/^2\.\d+/);
});

test("WS-50: a failure that may pass is tried three times, after 0, 1 and 3 seconds", async () => {
  using temp = tempFolder();
  await using server = await startGitHttpServer(temp.path);
  server.behave({ status: 503 });
  const pauses: number[] = [];
  const git = openTestGit(temp.path, { pause: (ms) => Promise.resolve(void pauses.push(ms)) });
  const url = `${server.url}/t/core.git`;
  await expect(
    git.remote(["ls-remote", "--end-of-options", url], { network: source(url) }),
  ).rejects.toMatchObject({
    code: "NETWORK_ERROR",
    failure: { details: { attempts: 3 } },
  });
  expect(pauses).toEqual([0, 1_000, 3_000]);
});

test("WS-50: a second try that succeeds is a success", async () => {
  using temp = tempFolder();
  makeHost(temp.path).repo("t/core", { files: { a: "1" } });
  await using server = await startGitHttpServer(temp.path);
  server.behave({ status: 502, times: 1 });
  const url = `${server.url}/t/core.git`;
  const listed = await openTestGit(temp.path).remote(["ls-remote", "--end-of-options", url], {
    network: source(url),
  });
  expect(listed.toString()).toContain("refs/heads/main");
});

test("WS-25: text that looks like an option or a helper is never taken for one", async () => {
  using temp = tempFolder();
  const canary = temp.file("canary");
  const git = openTestGit(temp.path);
  const hostile = [
    `--upload-pack=touch ${canary}`,
    "-f",
    "--detach",
    `ext::sh -c touch% ${canary}`,
    "fd::3",
    `-u./${canary}`,
  ];
  for (const url of hostile) {
    const asked = await git.run(["ls-remote", "--symref", "--end-of-options", url, "HEAD"], {
      network: source(url),
      cwd: temp.path,
    });
    expect(asked.code).not.toBe(0);
  }
  expect(existsSync(canary)).toBe(false);
});

test("WS-48: a protocol outside the list is E_UNSAFE_URL, also behind an insteadOf rule of the user", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" } });
  writeFileSync(
    temp.file("gitconfig"),
    `[url "${pathToFileURL(temp.file("host")).href}/"]\n\tinsteadOf = https://example.invalid/\n`,
  );
  const git = openTestGit(temp.path, {
    protocols: ["https"],
    env: { ...fixtureEnvironment, GIT_CONFIG_GLOBAL: temp.file("gitconfig") },
  });
  for (const url of [repo.url, "https://example.invalid/t/core.git"]) {
    const asked = git.ok(["ls-remote", "--end-of-options", url], { network: source(url) });
    await expect(asked).rejects.toMatchObject({
      code: "E_UNSAFE_URL",
      failure: { details: { reason: "protocol" } },
    });
  }
});

test("WS-48: a repository the user stands in has no say: its configuration is not read", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" } });
  const canary = temp.file("canary");
  runGit(temp.path, ["init", "--quiet", temp.file("hostile")]);
  runGit(temp.file("hostile"), ["config", `url.ext::sh -c touch% ${canary}.insteadOf`, repo.url]);
  runGit(temp.file("hostile"), ["config", "core.sshCommand", `touch ${canary};`]);
  const script = join(import.meta.dirname, "../../../../test/fixtures/fetch-once.ts");
  const done = spawnSync(process.execPath, [script, temp.file("hostile", "cache"), repo.url], {
    cwd: temp.file("hostile"),
  });
  expect(done.stdout.toString()).toBe("1\n");
  expect(existsSync(canary)).toBe(false);
});

test("WS-48: the hooks folder is made empty and stays so", async () => {
  using temp = tempFolder();
  await openTestGit(temp.path).version();
  expect(readdirSync(temp.file("no-hooks"))).toEqual([]);
});
