/** Something a check found. */
export interface Finding {
  check: string;
  level: "error" | "warning";
  /** A file, a record or a setting. */
  subject: string;
  message: string;
  /** Where it is corrected, as `file:line`. */
  at?: string;
  /** The rules it breaks. */
  rules: string[];
}

/** One finding a subject and check: what else is wrong with it joins the first. */
export function mergeFindings(findings: readonly Finding[]): Finding[] {
  const merged = new Map<string, Finding>();
  for (const finding of findings) {
    const key = `${finding.check}\n${finding.subject}`;
    const before = merged.get(key);
    if (!before) merged.set(key, { ...finding, rules: [...finding.rules] });
    else {
      before.rules.push(...finding.rules.filter((rule) => !before.rules.includes(rule)));
      if (!before.message.includes(finding.message)) before.message = `${before.message}; ${finding.message}`;
      if (finding.level === "error") before.level = "error";
    }
  }
  return [...merged.values()];
}
