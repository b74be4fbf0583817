import {
  type Call,
  type Execute,
  fail,
  parseReference,
  printReference,
  type Resources,
} from "../contract/index.ts";

/**
 * The workspace's resources, as MCP clients list and read them: its context as text, and every other reference
 * as what `explain` says of it, with the rights of the caller.
 */
export function createResources({ execute, root }: { execute: Execute; root: string }): Resources {
  return {
    async list() {
      const { listContext } = await import("../workspace/index.ts");
      return listContext(root);
    },
    async read(uri, credential) {
      const read = parseReference(uri);
      const reference = "reference" in read ? read.reference : undefined;
      const { readContext } = await import("../workspace/index.ts");
      const text = reference?.kind === "file" ? await readContext(root, reference.path) : undefined;
      if (text) return text;
      const ref = reference ? printReference(reference) : uri;
      return {
        mimeType: "application/json",
        text: JSON.stringify(await explained({ execute, root }, ref, credential), null, 2),
      };
    },
  };
}

async function explained(
  { execute, root }: { execute: Execute; root: string },
  ref: string,
  credential: Call["credential"],
): Promise<Record<string, unknown>> {
  const answer = await execute({
    capability: "explain",
    surface: "mcp",
    input: { ref },
    where: { flag: root },
    base: root,
    credential,
    signal: new AbortController().signal,
  });
  if (!answer.error) return answer.data;
  const { code, message, cause, remediation, details } = answer.error;
  throw fail(code, { message, cause, remediation, ...(details && { details }) });
}
