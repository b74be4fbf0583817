import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { type Call, fail, type Opened, type Workspace, WritError } from "../contract/index.ts";
import { unsafeLink, untilAborted } from "../platform/index.ts";

/**
 * Opens what the caller named: standard input for "-", else a file. At the terminal any file may be named;
 * elsewhere it must lie in the workspace, links followed.
 */
export async function openInput(
  call: Pick<Call, "base" | "surface" | "signal" | "stdin">,
  workspace: Workspace | undefined,
  pathOrDash: string,
): Promise<Opened> {
  if (pathOrDash === "-") return standardInput(call);
  const path = resolve(call.base, pathOrDash);
  if (call.surface !== "cli") await requireInside(path, workspace?.root ?? call.base, pathOrDash);
  // At the terminal a pipe may be named, and is waited for: writ … --file <(make-it). Nobody else may make a server wait.
  const bytes = () => fileBytes(path, { name: pathOrDash, waits: call.surface === "cli" });
  return { name: pathOrDash, bytes, text: (maxBytes) => readText(bytes(), pathOrDash, maxBytes) };
}

async function* fileBytes(
  path: string,
  { name, waits }: { name: string; waits: boolean },
): AsyncGenerator<Uint8Array> {
  const flags = constants.O_RDONLY | (waits ? 0 : (constants.O_NONBLOCK ?? 0));
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(name, error);
  });
  try {
    const stats = await file.stat();
    if (!waits && !stats.isFile() && !stats.isDirectory()) throw unsafeLink(name, "a special file");
    yield* file.createReadStream({ autoClose: false });
  } catch (error) {
    throw error instanceof WritError ? error : unreadable(name, error);
  } finally {
    await file.close();
  }
}

function standardInput({ stdin, signal }: Pick<Call, "signal" | "stdin">): Opened {
  const name = "standard input";
  if (!stdin) {
    throw fail("USAGE_ERROR", {
      message: "There is no standard input here.",
      cause: "The command line has one; over HTTP it is a body of application/octet-stream.",
      remediation: "Send the content in the call, or name a file of the workspace.",
    });
  }
  const bytes = () => untilAborted(stdin(), signal);
  return { name, bytes, text: (maxBytes) => readText(bytes(), name, maxBytes) };
}

async function requireInside(path: string, root: string, given: string): Promise<void> {
  const [real, realRoot] = await Promise.all([realpath(path).catch(() => path), realpath(root)]);
  const inside = relative(realRoot, real);
  if (!inside.startsWith("..") && !isAbsolute(inside)) return;
  throw fail("E_UNSAFE_PATH", {
    message: `${given} leads outside the workspace.`,
    cause: "A caller that is not at this machine's terminal may name files of the workspace only.",
    remediation: "Put the file into the workspace and name it relative to its root.",
  });
}

function unreadable(name: string, error: unknown) {
  const code = (error as NodeJS.ErrnoException).code;
  return fail("E_NOT_FOUND", {
    message: `${name} cannot be read.`,
    cause: causeOf(code),
    remediation: "Name a file that exists, or - for standard input.",
    from: error,
  });
}

async function readText(stream: AsyncIterable<Uint8Array>, name: string, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes) {
      throw fail("E_LIMIT", {
        message: `${name} is too large.`,
        cause: `At most ${maxBytes} bytes are read here.`,
        remediation: "Give a smaller one.",
        details: { limit: maxBytes, found: size },
      });
    }
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw fail("DATA_ERROR", {
      message: `${name} is not UTF-8.`,
      cause: "Some of its bytes are no text.",
      remediation: "Save it as UTF-8 and call again.",
    });
  }
}

function causeOf(code: string | undefined): string {
  if (code === "ENOENT") return "There is no such file.";
  if (code === "EISDIR") return "It is a folder.";
  return code ?? "It failed while being read.";
}
