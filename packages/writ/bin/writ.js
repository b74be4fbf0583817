#!/usr/bin/env node
// Up to the check, no syntax newer than import(): an old Node must get as far as the message.
var found = process.versions.node.split(".").map(Number);
if (found[0] < 22 || (found[0] === 22 && found[1] < 18)) {
  refuse();
} else {
  start();
}

function refuse() {
  var message = "Writ needs Node 22.18 or later.";
  var cause = "This is Node " + process.versions.node + ", " + process.execPath + ".";
  var remediation = "Install a newer Node: https://nodejs.org/en/download";
  process.exitCode = 3;
  var json = /^(|0|false|no|off)$/i.test(process.env.WRIT_JSON || "") === false;
  if (!json && process.argv.indexOf("--json") === -1) {
    process.stderr.write(
      "[ERROR] E_TOOL_MISSING: " + message + "\n  Cause: " + cause + "\n  Next:  " + remediation + "\n",
    );
    return;
  }
  var error = {
    code: "E_TOOL_MISSING",
    category: "dependency",
    message: message,
    cause: cause,
    remediation: remediation,
    exit_code: 3,
    retryable: false,
  };
  var envelope = { schema: "1", ok: false, command: "", exit_code: 3, data: {}, warnings: [], error: error };
  process.stdout.write(JSON.stringify(envelope) + "\n");
}

function start() {
  if (found[0] === 22) silenceSqlite();
  const { enableCompileCache } = process.getBuiltinModule("node:module");
  // In Writ's own cache: the default is a folder that every user of the machine can write.
  const folder = process.env.NODE_COMPILE_CACHE || compileCache();
  if (makeFolder(folder)) enableCompileCache(folder);
  void import("../dist/main.js");
}

/** On Node 22 node:sqlite is complete but still announces itself as experimental. */
function silenceSqlite() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] === "ExperimentalWarning" && String(warning).includes("SQLite")) return;
    emitWarning.call(process, warning, ...rest);
  };
}

/** True when the folder stands. Node itself would try for ever where the system makes none, as below /proc. */
function makeFolder(folder) {
  const { mkdirSync, statSync } = process.getBuiltinModule("node:fs");
  const { dirname } = process.getBuiltinModule("node:path");
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return true;
    const parent = dirname(folder);
    if (parent === folder || !makeFolder(parent)) return false;
    mkdirSync(folder);
    return true;
  } catch (error) {
    // Another process was faster.
    return error.code === "EEXIST";
  }
}

function compileCache() {
  const { isAbsolute, join } = process.getBuiltinModule("node:path");
  const { homedir, userInfo } = process.getBuiltinModule("node:os");
  const { WRIT_CACHE_DIR, LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (WRIT_CACHE_DIR) return join(WRIT_CACHE_DIR, "compile");
  if (process.platform === "win32" && LOCALAPPDATA) return join(LOCALAPPDATA, "writ", "compile");
  // What is relative leads to wherever one stands, and counts as unset.
  const home = isAbsolute(homedir()) ? homedir() : userInfo().homedir;
  if (process.platform === "darwin") return join(home, "Library", "Caches", "writ", "compile");
  const cache = XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(home, ".cache");
  return join(cache, "writ", "compile");
}
