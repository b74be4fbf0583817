import { type ErrorCode, WritError } from "../../contract/index.ts";
import { resolveSources, type Answer, type Asked, type ResolveOptions } from "./resolve.ts";

/** What a remote that cannot be reached looks like; a repository that was moved away is among them. */
const outOfReach: readonly ErrorCode[] = [
  "NETWORK_ERROR",
  "E_OFFLINE_MISS",
  "E_REPO_NOT_FOUND",
  "E_LAZY_STACK",
  "E_AUTH_REQUIRED",
  "E_TOOL_MISSING",
];

/** Whether an error says that a source could not be reached, rather than that it is wrong. */
export function isOutOfReach(error: unknown): error is WritError {
  return error instanceof WritError && outOfReach.includes(error.code);
}

/** Asks the remote what it has now; when it cannot be reached, answers from what the cache saw last and says so. */
export async function askNewest(asked: Asked, options: ResolveOptions): Promise<Answer> {
  try {
    return await answerOne(asked, options);
  } catch (error) {
    if (!isOutOfReach(error) || options.offline || asked.source.kind === "path") throw error;
    const cached = await answerOne(asked, { ...options, offline: true, warn: () => {} }).catch(() => {
      throw error;
    });
    options.warn({
      code: "W_CACHED_REFS",
      message: `${asked.label} could not be reached (${error.code}); what the cache saw last was used.`,
      remediation: error.failure.remediation,
    });
    return cached;
  }
}

async function answerOne(asked: Asked, options: ResolveOptions): Promise<Answer> {
  const [answer] = await resolveSources([asked], options);
  if (!answer) throw new TypeError("a source without an answer");
  return answer;
}
