import type { Asset, Layer } from "./assets.ts";
import { sha256 } from "../swap/hashes.ts";
import { inspectAsset } from "./inspect.ts";

/** An asset as a run makes it from a blob. */
export function asset(stack: string, path: string, text: string | Buffer): Asset {
  const bytes = Buffer.from(text);
  return {
    path,
    mode: "100644",
    sha256: sha256(bytes),
    size: bytes.length,
    origin: { stack, repo: `t/${stack}`, commit: "a".repeat(40), source: path },
    facts: inspectAsset(path, bytes),
  };
}

/** A layer from texts by path; root files become its metadata. */
export function layer(stack: string, texts: Record<string, string>, more: Partial<Layer> = {}): Layer {
  const all = Object.entries(texts).map(([path, text]) => asset(stack, path, text));
  return {
    stack,
    repoName: stack,
    orgName: "t",
    assets: all.filter(({ path }) => path.includes("/")),
    metadata: all.filter(({ path }) => !path.includes("/")),
    ...more,
  };
}
