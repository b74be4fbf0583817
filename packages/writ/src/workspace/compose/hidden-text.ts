import { fail, type Warning } from "../../contract/index.ts";
import type { Asset } from "./assets.ts";

/** A character that a reader cannot see. */
export interface HiddenText {
  line: number;
  /** `U+202E`. */
  codePoint: string;
}

// Enough for a person to find the spot; a file made of nothing else must not cost memory.
const maxFindings = 20;

const suspects = new RegExp(
  [
    "\\u061C|\\u180E|[\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2064\\u2066-\\u206F]|\\uFEFF",
    "[\\uFE00-\\uFE0F]",
    "[\\u{E0000}-\\u{E007F}]",
    "[\\u{E0100}-\\u{E01EF}]",
  ].join("|"),
  "gu",
);
const emojiBefore = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]$/u;
const emojiAfter = /^\p{Extended_Pictographic}/u;
const takesPresentation = /[\p{Emoji}\p{Extended_Pictographic}]$/u;

/** Bidirectional controls, zero-width and tag characters, and variation selectors where none belongs. */
export function findHiddenText(bytes: Buffer): HiddenText[] {
  const text = bytes.toString("utf8");
  const found: HiddenText[] = [];
  let line = 1;
  let counted = 0;
  for (const match of text.matchAll(suspects)) {
    const { index } = match;
    const [char] = match;
    if (isInnocent(text, index, char)) continue;
    for (; counted < index; counted++) if (text.charCodeAt(counted) === 10) line++;
    const hex = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    found.push({ line, codePoint: `U+${hex}` });
    if (found.length === maxFindings) break;
  }
  return found;
}

function isInnocent(text: string, index: number, char: string): boolean {
  // A byte-order mark is one only at the very start.
  if (char === "\uFEFF") return index === 0;
  const before = text.slice(Math.max(0, index - 2), index);
  const after = text.slice(index + char.length, index + char.length + 2);
  if (char === "\u200D") return emojiBefore.test(before) && emojiAfter.test(after);
  return (char === "\uFE0E" || char === "\uFE0F") && takesPresentation.test(before);
}

/** One warning a file; pass the assets that a run creates or updates. */
export function hiddenTextWarnings(assets: Iterable<Asset>): Warning[] {
  return flagged(assets).map(({ path, hidden }) => ({
    code: "W_HIDDEN_TEXT",
    message: `${path} holds characters a reader cannot see: ${describe(hidden)}.`,
    remediation: "Look at those lines before an agent reads them; --strict refuses such files.",
  }));
}

/** What `--strict` makes of the same findings: throws E_HIDDEN_TEXT. */
export function refuseHiddenText(assets: Iterable<Asset>): void {
  const found = flagged(assets);
  const [first] = found;
  if (!first) return;
  const more = found.length > 1 ? ` and ${found.length - 1} more files hold` : " holds";
  throw fail("E_HIDDEN_TEXT", {
    message: `${first.path}${more} characters a reader cannot see; nothing was changed.`,
    cause: found
      .slice(0, 5)
      .map(({ path, hidden }) => `${path}: ${describe(hidden)}.`)
      .join(" "),
    remediation:
      "Remove them in the stack, pin an earlier commit, or run again without --strict after reading them.",
    details: {
      files: found.map(({ path, hidden }) => ({
        file: path,
        found: hidden.map(({ line, codePoint }) => ({ line, code_point: codePoint })),
      })),
    },
  });
}

function flagged(assets: Iterable<Asset>): { path: string; hidden: HiddenText[] }[] {
  return Array.from(assets).flatMap(({ path, facts }) =>
    facts?.hidden?.length ? [{ path, hidden: facts.hidden }] : [],
  );
}

function describe(hidden: readonly HiddenText[]): string {
  const shown = hidden.slice(0, 5).map(({ line, codePoint }) => `${codePoint} at line ${line}`);
  return `${shown.join(", ")}${hidden.length > 5 ? ", and more" : ""}`;
}
