import { z } from "zod";
import { fail } from "../../contract/index.ts";
import { networkInput, waitInput } from "../sources/flags.ts";

const words = (what: string) => z.array(z.string().min(1).max(1000)).max(100).default([]).describe(what);
const year = z.int().min(1).max(9999).optional();

export const seedInput = {
  equation: z
    .string()
    .max(100_000)
    .optional()
    .describe("The search, as typed for Web of Science, Scopus, PubMed or in plain Boolean."),
  spec: z
    .string()
    .max(4096)
    .optional()
    .meta({ local_path: true })
    .describe("A YAML file that holds the equation."),
  from_file: z
    .string()
    .max(4096)
    .optional()
    .meta({ local_path: true })
    .describe("A bibliographic file to import; - is standard input."),
  from_bib: z
    .string()
    .max(4096)
    .optional()
    .meta({ local_path: true })
    .describe("A BibTeX file to import, as --from-file FILE --format bibtex."),
  format: z
    .enum(["bibtex", "ris", "csl-json", "wos", "pubmed", "scopus", "openalex"])
    .optional()
    .describe("The file's format; by default it is recognised."),
  native: z
    .boolean()
    .default(false)
    .describe("The equation is a filter of OpenAlex and is sent as it stands."),
  exclude: words("A term that no work may hold."),
  min_year: year.describe("The least year of publication."),
  max_year: year.describe("The greatest year of publication."),
  language: words("A language, by name or code."),
  type: words("A kind of work: article, review, preprint, …"),
  max_results: z.int().min(1).max(1_000_000).optional().describe("Works in all. Default 200."),
  resolve: z
    .boolean()
    .default(false)
    .describe("Look up the DOIs of papers that the source does not know yet; alone or with a file."),
  preview: z.boolean().default(false).describe("Translate and stop: no workspace, no file, no request."),
  estimate: z.boolean().default(false).describe("Ask for one result, to learn count and price."),
  strict: z.boolean().default(false).describe("Refuse a translation that changes the set of results."),
  ...networkInput,
  ...waitInput,
};

const schema = z.object(seedInput);
export type SeedInput = z.output<typeof schema>;

/** What this call seeds from. */
export type Origin =
  | { kind: "search" }
  | { kind: "file"; path: string; format: SeedInput["format"] }
  | { kind: "resolve" };

/** What papers come from; refuses flags that do not belong to it. */
export function originOf(given: SeedInput): Origin {
  const named = (["equation", "spec", "from_file", "from_bib"] as const).filter(
    (name) => given[name] !== undefined,
  );
  const [first, second] = named;
  if (first === undefined) {
    if (!given.resolve) throw nothing();
    refuse(given, "--resolve alone", [...searchFlags, "format", "preview", "estimate", "strict"]);
    return { kind: "resolve" };
  }
  if (second !== undefined) throw conflict([flag(first), flag(second)]);
  if (first === "equation" || first === "spec") {
    refuse(given, flag(first), ["format", "resolve"]);
    if (given.preview && given.estimate) throw conflict(["--preview", "--estimate"]);
    return { kind: "search" };
  }
  const resolving = given.resolve ? [] : (["email"] as const);
  refuse(given, flag(first), [...searchFlags, "preview", "estimate", "strict", ...resolving]);
  if (first === "from_bib") {
    refuse(given, "--from-bib", ["format"]);
    return { kind: "file", path: given.from_bib ?? "", format: "bibtex" };
  }
  return { kind: "file", path: given.from_file ?? "", format: given.format };
}

const searchFlags = ["native", "exclude", "min_year", "max_year", "language", "type", "max_results"] as const;

type Name = keyof SeedInput;

function refuse(given: SeedInput, beside: string, names: readonly Name[]): void {
  const other = names.find((name) => {
    const value = given[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
  });
  if (other !== undefined) throw conflict([beside, flag(other)]);
}

function flag(name: Name): string {
  return `--${name.replaceAll("_", "-")}`;
}

function conflict(inputs: string[]) {
  return fail("E_CONFLICTING_INPUT", {
    message: `${inputs.join(" and ")} exclude each other.`,
    cause: "A seed comes from one place, with the flags that belong to it.",
    remediation: `Give one of them: ${inputs.join(", or ")}.`,
    details: { inputs },
  });
}

function nothing() {
  return fail("E_MISSING_INPUT", {
    message: "Nothing was given to seed from.",
    cause: "A seed comes from an equation, a spec file, or a bibliographic file.",
    remediation: "Give one of them: writ research seed --spec equation.yml",
    details: {
      missing: (["equation", "spec", "from_file"] as const).map((name) => ({
        name,
        description: seedInput[name].description ?? "",
      })),
    },
  });
}
