export { readOrNull, type ReadOptions } from "./read-file.ts";
export { inspectTarget, lstatOrNull, requireNoLinks, unsafeLink, type Target } from "./links.ts";
export { errnoOf, quote, storeError, storing } from "./store-error.ts";
export { compareBytes, walkFolder, type Walked, type WalkOptions } from "./walk-folder.ts";
export {
  createExclusive,
  isTemporaryName,
  makeFolder,
  removeEmptyParents,
  removeTemporaries,
  removeTree,
  replaceFile,
  syncFolder,
  writeAtomic,
  type WriteOptions,
} from "./write-atomic.ts";
