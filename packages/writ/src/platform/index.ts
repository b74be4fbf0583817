export { formatInstant, systemClock } from "./clock.ts";
export { collectGarbage, growYoungSpace } from "./collect-garbage.ts";
export { counted } from "./counted.ts";
export { createDeadline } from "./deadline.ts";
export { cacheFolder, stateFolder, type Place } from "./folders.ts";
export { createGit, oldestGit, type Git, type GitCall, type GitResult, type GitSetup } from "./git.ts";
export type { GitFailure, HttpTrace } from "./git-failure-kinds.ts";
export {
  classifyGitFailure,
  splitTrace,
  type FailedCall,
  type GitSource,
} from "./git-failures.ts";
export { readGitHead } from "./git-head.ts";
export type { GitGuards } from "./git-guards.ts";
export { catFileBatch, lsTree, type Blob, type TreeEntry } from "./git-objects.ts";
export { readRemotes, type Remote } from "./git-remotes.ts";
export { readTips } from "./git-tips.ts";
export { lsTrees } from "./git-trees.ts";
export { rateLimited, refusedWith, timedOut } from "./http-failures.ts";
export { request, type HttpAnswer, type HttpRequest } from "./http.ts";
export { inParallel } from "./in-parallel.ts";
export { createIds, idsFrom, systemIds, type IdSources } from "./ids.ts";
export { readJsonOrYaml } from "./input-text.ts";
export { canonicalJson } from "./json.ts";
export { openKeychain, type Keychain } from "./keychain.ts";
export { openKeys, type Keys, type KeySource, type KeysOptions } from "./keys.ts";
export { allowsLinks, inspectTarget, lstatOrNull, requireNoLinks, unsafeLink, type Target } from "./links.ts";
export { withLock, type LockOptions, type LockOwner } from "./lock.ts";
export { createLog, oneLine, type Log, type LogOptions } from "./log.ts";
export { nodeVersion } from "./node-version.ts";
export {
  runProcess,
  startProcess,
  type ProcessCall,
  type ProcessResult,
  type RunningProcess,
  type Stopped,
} from "./process.ts";
export { makeFolder } from "./make-folder.ts";
export { pathFromRoot, type CalledFrom, type NamedPath } from "./path-from-root.ts";
export { createProgress, type ProgressOptions, type ProgressView } from "./progress.ts";
export { hashFile, readOrNull, tooLarge, type ReadOptions } from "./read-file.ts";
export { findSecrets, redact, redactTree, type FoundSecret } from "./redact.ts";
export { visible, visibleIn, visibleLine } from "./visible.ts";
export { sha256Hex } from "./node-crypto.ts";
export { createSettings, isOnWord, type Environment } from "./settings.ts";
export { errnoOf, quote, storeError, storing, storingUnder } from "./store-error.ts";
export { syncFiles } from "./sync-files.ts";
export { createTraces, type Traces } from "./traces.ts";
export { compareBytes, walkFolder, type Walked, type WalkOptions } from "./walk-folder.ts";
export { untilAborted } from "./until-aborted.ts";
export {
  createExclusive,
  isTemporaryName,
  makeTemporaryFolder,
  removeEmptyParents,
  removeTemporaries,
  removeTree,
  replaceFile,
  syncFolder,
  writeAtomic,
  type WriteOptions,
} from "./write-atomic.ts";
export {
  readYaml,
  yamlLimits,
  type Position,
  type YamlDocument,
  type YamlLimits,
  type YamlProblem,
} from "./yaml.ts";
export { openPage } from "./open-page.ts";
export { outputOf, standardError, standardOutput, type Output } from "./output.ts";
