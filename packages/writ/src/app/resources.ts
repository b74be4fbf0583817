import {
  type AnsweredResource,
  type Call,
  type Execute,
  fail,
  parseReference,
  printReference,
  type Resources,
} from "../contract/index.ts";

/**
 * The workspace's resources, as MCP clients list and read them: its context as text, what some capabilities answer,
 * and every other reference as what `explain` says of it, with the rights of the caller.
 */
export function createResources({ execute, root, answered = [] }: Source): Resources {
  const asJson = async (of: Asked) => ({
    mimeType: "application/json",
    text: JSON.stringify(await answerTo({ execute, root }, of), null, 2),
  });
  return {
    async list() {
      const { listContext } = await import("../workspace/index.ts");
      const context = await listContext(root);
      return [
        ...context,
        ...answered.map(({ uri, description }) => ({
          uri,
          name: uri.replace("writ://", ""),
          description,
          mimeType: "application/json",
        })),
      ];
    },
    async read(uri, credential) {
      const answers = answered.find((one) => one.uri === uri);
      if (answers) return asJson({ capability: answers.capability, input: {}, credential });
      const read = parseReference(uri);
      const reference = "reference" in read ? read.reference : undefined;
      const { readContext } = await import("../workspace/index.ts");
      const text = reference?.kind === "file" ? await readContext(root, reference.path) : undefined;
      if (text) return text;
      const ref = reference ? printReference(reference) : uri;
      return asJson({ capability: "explain", input: { ref }, credential });
    },
  };
}

interface Source {
  execute: Execute;
  root: string;
  answered?: readonly AnsweredResource[];
}

type Asked = Pick<Call, "capability" | "input" | "credential">;

async function answerTo(
  { execute, root }: Source,
  { capability, input, credential }: Asked,
): Promise<Record<string, unknown>> {
  const answer = await execute({
    capability,
    surface: "mcp",
    input,
    where: { flag: root },
    base: root,
    credential,
    signal: new AbortController().signal,
  });
  if (!answer.error) return answer.data;
  const { code, message, cause, remediation, details } = answer.error;
  throw fail(code, { message, cause, remediation, ...(details && { details }) });
}
