import * as z from "zod";
import { parsePath } from "../paths.ts";
import { quote, type Parsed } from "../problem.ts";
import { parseCommit, parseRefName } from "../refs.ts";
import { parseRepo, parseSource, parseToken } from "../sources.ts";

/** Text held to a grammar of its own; the fault travels in the issue, so that its kind is not lost. */
export function checkedText(check: (text: string) => Parsed<unknown>, description: string): z.ZodString {
  return z
    .string()
    .check((context) => {
      const { fault } = check(context.value);
      if (fault) {
        context.issues.push({
          code: "custom",
          input: context.value,
          message: fault.message,
          params: { fault },
        });
      }
    })
    .describe(description);
}

export function token(what: string): z.ZodString {
  return checkedText(
    (text) => parseToken(text, what),
    `${what}: letters, digits, ., _ and -, at most 100`,
  ).meta({ pattern: "^(?!\\.{1,2}$)[A-Za-z0-9_.][A-Za-z0-9_.-]{0,99}$" });
}

const slugPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** A product's name, which becomes a folder. */
export const slug = checkedText((text) => {
  const named = parseToken(text, "the product");
  if (named.fault?.kind === "unsafe_path") return named;
  if (slugPattern.test(text)) return { value: text };
  return {
    fault: {
      kind: "value",
      message: `the product ${quote(text)} is not letters, digits, ., _ and -, at most 64`,
    },
  };
}, "A product: letters, digits, ., _ and -").meta({ pattern: slugPattern.source });

export const relativePath = checkedText(
  parsePath,
  "A relative path with /, at most 240 bytes and 16 segments.",
);
export const branch = checkedText(parseRefName, "A branch; where absent, the remote's own default branch.");
export const tag = checkedText(parseRefName, "A tag.");
export const commit = checkedText(parseCommit, "A full commit id, 40 or 64 hex digits.");
export const orgRepo = checkedText(parseRepo, "org/repo");

// Whether a URL may be used here is decided where the settings are known; its form is decided at once.
const anyProtocol = { allowFile: true };
export const sourceText = checkedText(
  (text) => parseSource(text, anyProtocol),
  "A shortcut, org/repo or a git URL.",
);
export const namedText = checkedText((text) => {
  const parsed = parseSource(text, anyProtocol);
  if (parsed.value?.kind !== "url") return parsed;
  return {
    fault: {
      kind: "value",
      message: "ref takes a shortcut or org/repo",
      hint: "{stack: <url>} under writ/1",
    },
  };
}, "A shortcut or org/repo.");

/** The style of names: it is safe in YAML, in a path and in a URL. */
export const namePattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
export const NAME_MAX = 63;

export function isStyledName(text: string): boolean {
  return text.length <= NAME_MAX && namePattern.test(text);
}
