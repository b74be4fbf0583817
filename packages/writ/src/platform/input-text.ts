import { fail, type WritError } from "../contract/index.ts";
import { decodeText } from "./yaml/decode.ts";
import { yamlLimits, type YamlProblem } from "./yaml/limits.ts";
import { readYaml } from "./yaml.ts";

// As much as an HTTP body may have: an input that one surface takes, the others take too.
const JSON_MAX_BYTES = 8 * 1024 * 1024;

/**
 * Reads structured input that may be JSON or YAML, and answers its value.
 *
 * What is neither is USAGE_ERROR with all problems; what exceeds a bound is E_LIMIT. `name` is shown in errors.
 */
export function readJsonOrYaml(input: Uint8Array | string, name: string): unknown {
  const json = asJson(input);
  if (json) {
    if (depthOf(json.value) <= yamlLimits.maxDepth) return json.value;
    throw refusal(name, [tooDeep()]);
  }
  const { value, problems } = readYaml(input);
  if (problems.length > 0) throw refusal(name, problems);
  return value;
}

function asJson(input: Uint8Array | string): { value: unknown } | null {
  const decoded = decodeText(input, { ...yamlLimits, maxBytes: JSON_MAX_BYTES });
  if (!("text" in decoded)) return null;
  try {
    return { value: JSON.parse(decoded.text) as unknown };
  } catch {
    return null;
  }
}

// Level by level and not by recursion: the depth is what is not yet known to be small.
function depthOf(value: unknown): number {
  let depth = 0;
  for (let level = [value].filter(isCollection); level.length > 0; depth++) {
    if (depth > yamlLimits.maxDepth) break;
    level = level.flatMap((member) => Object.values(member).filter(isCollection));
  }
  return depth;
}

function isCollection(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function tooDeep(): YamlProblem {
  const limit = yamlLimits.maxDepth;
  const message = `the document has more than ${limit} levels of nesting`;
  return { kind: "limit", pointer: "", line: 1, column: 1, message, limit, found: limit + 1 };
}

function refusal(name: string, problems: YamlProblem[]): WritError {
  const [first] = problems;
  const places = problems.slice(0, 200);
  const said = {
    message: `${name} cannot be read: line ${first?.line}, column ${first?.column}: ${first?.message}.`,
    cause: `It is read as YAML or JSON, and has ${problems.length === 1 ? "one problem" : `${problems.length} problems`}.`,
    remediation: first?.hint
      ? `Correct it (${first.hint}) and run the command again.`
      : "Correct it and run the command again.",
  };
  const limit = problems.find((problem) => problem.kind === "limit");
  if (limit)
    return fail("E_LIMIT", {
      ...said,
      details: { limit: limit.limit, found: limit.found, problems: places },
    });
  return fail("USAGE_ERROR", { ...said, details: { problems: places } });
}
