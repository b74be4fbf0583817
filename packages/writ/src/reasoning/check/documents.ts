import { join } from "node:path";
import { readOrNull, walkFolder } from "../../platform/index.ts";
import type { Catalogue } from "../catalogue/merge.ts";
import type { Finding } from "./finding.ts";

/** A document, as the checks read it: what may be quoted is left out. */
interface Document {
  file: string;
  lines: string[];
}

const workflowFiles = [".gitlab-ci.yml", "azure-pipelines.yml", "Jenkinsfile"];
const workflowFolders = [".github/workflows", ".circleci"];
const rootDocuments = /^(README[^/]*|CLAUDE|AGENTS|GEMINI|CONTRIBUTING)\.md$/i;
const maxBytes = 1024 * 1024;

/** Workflow files that name a variable holding a key: no run in CI asks anybody, so none needs one. */
export async function ciFindings(root: string, catalogue: Catalogue): Promise<Finding[]> {
  const variables = catalogue.vendors.flatMap(({ credential_env }) =>
    credential_env ? [credential_env] : [],
  );
  const files = [
    ...workflowFiles,
    ...(await Promise.all(workflowFolders.map((folder) => filesBelow(root, folder)))).flat(),
  ];
  const documents = await Promise.all(files.map((file) => readDocument(root, file)));
  return documents.flatMap((document) =>
    document
      ? foundIn(document, { check: "ci", phrases: variables, says: "names the credential variable" })
      : [],
  );
}

/** Documents that claim what no count of advisors can give, or that one of them is needed. */
export async function claimFindings(root: string, catalogue: Catalogue): Promise<Finding[]> {
  const titles = catalogue.advisors.map(({ title }) => title.toLowerCase());
  const phrases = [
    ...catalogue.forbidden.map((phrase) => phrase.toLowerCase()),
    ...titles.flatMap((title) => [`requires ${title}`, `${title} is required`]),
  ];
  const top = (await filesBelow(root, "", false)).filter((file) => rootDocuments.test(file));
  const docs = (await filesBelow(root, "docs")).filter((file) => file.toLowerCase().endsWith(".md"));
  const documents = await Promise.all([...top, ...docs].map((file) => readDocument(root, file)));
  return documents.flatMap((document) =>
    document ? foundIn(document, { check: "claims", phrases, says: "claims" }) : [],
  );
}

function foundIn(
  { file, lines }: Document,
  { check, phrases, says }: { check: string; phrases: readonly string[]; says: string },
): Finding[] {
  for (const [i, line] of lines.entries()) {
    const text = check === "claims" ? line.toLowerCase() : line;
    const phrase = phrases.find((one) => containsWords(text, one));
    if (phrase !== undefined)
      return [
        {
          check,
          level: "error",
          subject: file,
          message: `line ${i + 1} ${says} "${phrase}"`,
          at: `${file}:${i + 1}`,
          rules: [check],
        },
      ];
  }
  return [];
}

/** The phrase as words of its own: a title must not be found within a longer word. */
function containsWords(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    const around = `${text[at - 1] ?? " "}${text[at + phrase.length] ?? " "}`;
    if (!/[\p{L}\p{N}_]/u.test(around)) return true;
  }
  return false;
}

async function readDocument(root: string, file: string): Promise<Document | undefined> {
  const bytes = await readOrNull(join(root, file), maxBytes).catch(() => null);
  if (!bytes) return undefined;
  let quoted = false;
  const lines = bytes
    .toString("utf8")
    .split("\n")
    .map((line) => {
      if (line.includes("<!-- writ:quote -->")) quoted = true;
      const shown = quoted || line.includes("writ:allow") ? "" : line;
      if (line.includes("<!-- /writ:quote -->")) quoted = false;
      return shown;
    });
  return { file, lines };
}

async function filesBelow(root: string, folder: string, deep = true): Promise<string[]> {
  const skip = (path: string) => (deep ? /(^|\/)(node_modules|\.git)$/.test(path) : path.includes("/"));
  const found = await walkFolder(join(root, folder), { skip, maxEntries: 50_000 }).catch(() => []);
  return found
    .filter(({ kind }) => kind === "file")
    .map(({ path }) => (folder === "" ? path : `${folder}/${path}`));
}
