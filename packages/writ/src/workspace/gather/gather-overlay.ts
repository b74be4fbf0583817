import { WritError } from "../../contract/index.ts";
import type { Layer } from "../compose/assets.ts";
import { resolveOptionsOf, type Gathering } from "./gathering.ts";
import { resolveSources, type Answer } from "../sources/resolve.ts";
import { repoText, type Resolvable } from "../declare/sources.ts";
import { openStack, readLayer, type OpenedStack } from "./stack-layer.ts";

export const overlayLabel = "overlay";

export interface Overlay {
  repo: string;
  want: string;
  answer: Answer;
  opened: OpenedStack;
  layer: Layer;
}

/** What the private overlay came to: its layer, nothing when none is declared, or that it cannot be reached. */
export type OverlayState =
  | { state: "none" }
  | { state: "reached"; overlay: Overlay }
  | { state: "unavailable" };

// That a private repository cannot be read by everybody is its nature; any other fault is one to be told.
const unavailable = new Set([
  "E_AUTH_REQUIRED",
  "E_REPO_NOT_FOUND",
  "E_OFFLINE_MISS",
  "NETWORK_ERROR",
  "E_COMMIT_GONE",
]);

/** Reads the overlay, at the commit this checkout composed last unless an update asks for more. */
export async function gatherOverlay(gathering: Gathering): Promise<OverlayState> {
  const { ctx, inputs, request, sources } = gathering;
  const declared = inputs.manifest.privateOverlay;
  if (!declared) return { state: "none" };
  const source: Resolvable = { kind: "repo", org: declared.org, repo: declared.repo };
  const repo = repoText(source);
  const pinned = inputs.applied.applied?.overlay;
  const locked = pinned?.repo === repo && pinned.want === declared.want ? pinned : undefined;
  const update = request.update && request.stacks.length === 0;
  const asked = {
    label: overlayLabel,
    kind: "stack" as const,
    source,
    want: declared.want,
    ...(locked && { locked }),
    update,
  };
  try {
    const [answer] = await resolveSources([asked], resolveOptionsOf(gathering));
    if (!answer) throw new TypeError("an overlay without an answer");
    const folder = declared.pathInRepo;
    const opened = await openStack(sources.git, {
      label: overlayLabel,
      answer,
      ...(folder !== undefined && { folder }),
    });
    const names = { repo, repoName: declared.repo, orgName: declared.org, overlay: true as const };
    const layer = await readLayer(opened, names);
    return { state: "reached", overlay: { repo, want: declared.want, answer, opened, layer } };
  } catch (error) {
    if (!(error instanceof WritError) || !unavailable.has(error.code)) throw error;
    ctx.warn({
      code: "W_OVERLAY_UNAVAILABLE",
      message: `The private overlay cannot be reached (${error.code}); what came from it before stays.`,
      remediation: "Log in to its host and run the command again, if you should have access.",
    });
    return { state: "unavailable" };
  }
}
