import { WritError } from "../../contract/index.ts";
import { counted } from "../../platform/index.ts";
import { gatherRegistry, registrySource } from "../gather/gather-registry.ts";
import type { Gathering } from "../gather/gathering.ts";
import type { Inputs } from "../gather/inputs.ts";
import { plainRequest } from "../gather/request.ts";
import { repoText } from "../declare/sources.ts";
import { openOnline } from "./cache.ts";
import { type CheckRow, type Finding, ok, skipped, warn } from "./check.ts";
import type { Room } from "./room.ts";

/** The one check that asks another machine. */
export const registryChecks: readonly CheckRow[] = [
  { id: "net.registry", worst: "warn", workspace: false, look: lookAtRegistry },
];

async function lookAtRegistry(room: Room): Promise<Finding> {
  if (room.offline) return skipped("offline");
  const inputs = await inputsOf(room);
  if (!inputs) return skipped("workspace.yml or the lock cannot be read");
  const gathering = gatheringOf(room, inputs);
  const name = repoText(registrySource(gathering).source);
  try {
    const registry = await gatherRegistry({ ...gathering, inputs: asking(inputs, gathering) });
    const shortcuts = Object.keys(registry?.manifest.shortcuts ?? {}).length;
    return ok(`${name}, ${counted(shortcuts, "shortcut")}`);
  } catch (error) {
    if (!(error instanceof WritError)) throw error;
    return warn(`${name}: ${error.failure.message}`, { remediation: error.failure.remediation });
  }
}

/** What was declared; outside a workspace nothing is, and the registry is the environment's or the built-in one. */
async function inputsOf(room: Room): Promise<Inputs | undefined> {
  if (!room.ctx.workspace) return { manifest: { stacks: [] }, applied: {} } as unknown as Inputs;
  try {
    return (await room.observed()).inputs;
  } catch {
    return undefined;
  }
}

function gatheringOf(room: Room, inputs: Inputs): Gathering {
  const ctx = { ...room.ctx, emit: () => {}, warn: () => {} };
  return {
    ctx,
    root: room.root,
    inputs,
    request: plainRequest({ update: true }),
    sources: openOnline(room),
    keepRefs: true,
    allowsLinks: async () => true,
  };
}

/** As if the workspace named its registry, so that it is asked also where no stack needs it. */
function asking(inputs: Inputs, gathering: Gathering): Inputs {
  const { source, want } = registrySource(gathering);
  const registry = { source, want, declaredAt: { pointer: "/registry", line: 1 } };
  return { ...inputs, manifest: { ...inputs.manifest, registry } };
}
