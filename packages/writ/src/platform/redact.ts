/** A secret that was found: its shape and its line, never its text. */
export interface FoundSecret {
  kind: string;
  line: number;
}

interface Shape {
  kind: string;
  pattern: RegExp;
  /** Which group is the secret; the rest of the match stays. */
  group: number;
}

// Narrow before broad, and no word boundaries: a secret glued to other text is a secret still. Every pattern is
// linear: classes are disjoint from what follows them. NUL marks what a narrower shape has claimed.
const shapes: Shape[] = [
  { kind: "anthropic-key", pattern: /(sk-ant-[A-Za-z0-9_-]{16,})/dg, group: 1 },
  { kind: "openai-key", pattern: /(sk-(?:proj-)?[A-Za-z0-9_-]{20,})/dg, group: 1 },
  { kind: "github-token", pattern: /(gh[pousr]_[A-Za-z0-9]{20,})/dg, group: 1 },
  { kind: "github-pat", pattern: /(github_pat_[A-Za-z0-9_]{20,})/dg, group: 1 },
  { kind: "gitlab-token", pattern: /(gl(?:pat|dt|rt|ptt|cbt|oas)-[A-Za-z0-9_-]{16,})/dg, group: 1 },
  { kind: "aws-access-key-id", pattern: /((?:AKIA|ASIA)[A-Z0-9]{16})/dg, group: 1 },
  { kind: "google-api-key", pattern: /(AIza[A-Za-z0-9_-]{35})/dg, group: 1 },
  { kind: "slack-token", pattern: /(xox[abprs]-[A-Za-z0-9-]{10,})/dg, group: 1 },
  { kind: "stripe-key", pattern: /([sr]k_(?:live|test)_[A-Za-z0-9]{16,})/dg, group: 1 },
  { kind: "writ-token", pattern: /(writ_[A-Za-z0-9_-]{32,})/dg, group: 1 },
  { kind: "bearer-token", pattern: /bearer ([A-Za-z0-9._~+/=-]{20,})/dgi, group: 1 },
  // Over HTTP a lone user name is how tokens are put into URLs; elsewhere (ssh://git@…) it is only a name.
  { kind: "url-userinfo", pattern: /https?:\/\/([^\s/?#@"'<>\0]+)@/dgi, group: 1 },
  { kind: "url-userinfo", pattern: /:\/\/([^\s/?#@:"'<>\0]*:[^\s/?#@"'<>\0]+)@/dg, group: 1 },
  {
    kind: "assignment",
    pattern:
      /(?:api_key|access_token|secret_key|password)["']?[ \t]*[:=][ \t]*["']?([A-Za-z0-9_\-+/=.~!@#$%^&*]{16,})/dgi,
    group: 1,
  },
];

const pemBegin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const pemEnd = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const pemLines = /(?:\r?\n[A-Za-z0-9+/=]+(?=\r?\n|$))*/y;

interface Range {
  kind: string;
  start: number;
  end: number;
}

/** Replaces every text of a secret's shape by `[redacted:<shape>]`; applied twice it changes nothing more. */
export function redact(text: string): string {
  let redacted = "";
  let from = 0;
  for (const { kind, start, end } of scan(text)) {
    redacted += `${text.slice(from, start)}[redacted:${kind}]`;
    from = end;
  }
  return redacted + text.slice(from);
}

/** Redacts every string in a value, keys included, as a tree; the value itself is not touched. */
export function redactTree<T>(value: T): T {
  if (typeof value === "string") return redact(value) as T;
  if (Array.isArray(value)) return value.map((member: unknown) => redactTree(member)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [redact(key), redactTree(member as unknown)]);
  return Object.fromEntries(entries) as T;
}

/** Names the secrets in a text by shape and line, in order of their place. */
export function findSecrets(text: string): FoundSecret[] {
  let line = 1;
  let from = 0;
  return scan(text).map(({ kind, start }) => {
    for (; from < start; from++) if (text.charCodeAt(from) === 10) line++;
    return { kind, line };
  });
}

function scan(text: string): Range[] {
  const ranges = pemBlocks(text);
  let rest = mask(text, ranges);
  for (const { kind, pattern, group } of shapes) {
    const found: Range[] = [];
    for (const match of rest.matchAll(pattern)) {
      const [start, end] = match.indices?.[group] ?? [0, 0];
      if (!rest.startsWith("[redacted:", start)) found.push({ kind, start, end });
    }
    if (found.length > 0) rest = mask(rest, found);
    ranges.push(...found);
  }
  return ranges.sort((a, b) => a.start - b.start);
}

// Places stay where they are, so that later shapes see the same offsets.
function mask(text: string, ranges: readonly Range[]): string {
  let masked = "";
  let from = 0;
  for (const { start, end } of ranges) {
    masked += text.slice(from, start) + "\0".repeat(end - start);
    from = end;
  }
  return masked + text.slice(from);
}

// By hand and not by one lazy pattern: that would read to the end of the text for each BEGIN without an END.
function pemBlocks(text: string): Range[] {
  const ranges: Range[] = [];
  let ended = true;
  let end = 0;
  for (const begin of text.matchAll(pemBegin)) {
    if (begin.index < end) continue;
    const after = begin.index + begin[0].length;
    pemEnd.lastIndex = after;
    const close: RegExpExecArray | null = ended ? pemEnd.exec(text) : null;
    ended = close !== null;
    pemLines.lastIndex = after;
    end = close ? close.index + close[0].length : after + (pemLines.exec(text)?.[0].length ?? 0);
    ranges.push({ kind: "pem-block", start: begin.index, end });
  }
  return ranges;
}
