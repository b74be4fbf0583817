import type * as z from "zod";
import type { StackEntry } from "./model/manifest.ts";
import { StackEntrySchema } from "./model/workspace-schema.ts";
import type { Fault, Parsed } from "./problem.ts";
import { wantOf } from "./refs.ts";
import { defaultStackRepo, parseSource, parseSourceAtRef, type Source, type Want } from "./sources.ts";
import type { UrlPolicy } from "./urls.ts";

type Written = z.output<typeof StackEntrySchema>;

/** A stack entry in its one shape, without its place; undefined when it has no valid form. */
export function normaliseEntry(
  value: unknown,
  policy: UrlPolicy,
): Parsed<Omit<StackEntry, "declaredAt">> | undefined {
  const parsed = StackEntrySchema.safeParse(value);
  if (!parsed.success) return undefined;
  const origin = originOf(parsed.data, policy);
  if (origin.fault) return origin;
  if (typeof parsed.data === "string" || "ref" in parsed.data) {
    return { value: { ...origin.value, capabilitiesOnly: false, modules: [] } };
  }
  const { include, exclude, capabilities_only, modules } = parsed.data;
  return {
    value: {
      ...origin.value,
      ...(include && { include }),
      ...(exclude && { exclude }),
      capabilitiesOnly: capabilities_only ?? false,
      modules: modules ?? [],
    },
  };
}

function originOf(entry: Written, policy: UrlPolicy): Parsed<{ source: Source; want: Want }> {
  if (typeof entry === "string") return parseSourceAtRef(entry, policy);
  if ("path" in entry) return { value: { source: { kind: "path", path: entry.path }, want: "default" } };
  if ("org" in entry) {
    const { org, name } = entry;
    const instead = { org, repo: name ?? defaultStackRepo };
    const source: Source =
      name === undefined ? { kind: "shortcut", name: org, instead } : { kind: "repo", ...instead };
    return { value: { source, want: wantOf(entry) } };
  }
  const parsed = parseSource("ref" in entry ? entry.ref : entry.stack, policy);
  return parsed.fault ? parsed : { value: { source: parsed.value, want: wantOf(entry) } };
}

/** What cannot stand together in one entry; keys are those of the entry as it is written. */
export function clashesOf(entry: Readonly<Record<string, unknown>>): (Fault & { key: string })[] {
  const faults: (Fault & { key: string })[] = [];
  if (entry["include"] !== undefined && entry["exclude"] !== undefined) {
    faults.push({
      key: "exclude",
      kind: "value",
      message: "include and exclude exclude each other",
      hint: "keep one",
    });
  }
  if (entry["capabilities_only"] === true && entry["include"] !== undefined) {
    const message = "capabilities_only clones none, so include has nothing to keep";
    faults.push({ key: "include", kind: "value", message, hint: "keep one" });
  }
  const pins = ["branch", "tag", "commit"].filter((key) => entry[key] !== undefined);
  const [, second] = pins;
  if (second !== undefined) {
    faults.push({
      key: second,
      kind: "value",
      message: `${pins.join(" and ")} exclude each other`,
      hint: "keep one",
    });
  }
  return faults;
}
