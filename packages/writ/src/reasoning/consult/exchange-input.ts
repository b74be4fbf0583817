import { adapterFacts } from "../advisors/table.ts";
import type { ExchangeInput } from "../advisors/adapter.ts";
import { reach } from "../availability/availability.ts";
import type { Advisor } from "../catalogue/merge.ts";
import type { Room } from "../settings/room.ts";

/** What an adapter is told: the advisor as this machine has it, and the brief. */
export function exchangeInput(
  room: Room,
  { advisor, prompt, maxOutputTokens }: { advisor: Advisor; prompt: string; maxOutputTokens: number },
): ExchangeInput {
  const { address, model, presence } = reach(advisor, { adapters: adapterFacts, presence: room.presence });
  const credential = advisor.credential_env;
  // A local server may be one without keys.
  const needsKey = credential !== undefined && (advisor.transport === "api" || presence.credentialSet);
  return {
    advisor: {
      id: advisor.id,
      adapter: advisor.adapter,
      ...(typeof address === "object" && { address: address.url }),
      ...(model !== undefined && { model }),
      ...(advisor.executable !== undefined && { executable: advisor.executable }),
      ...(needsKey && { credential }),
      access: advisor.access,
      root: room.root,
      env: allowedEnv(room, advisor),
      max_tokens_field: advisor.max_tokens_field,
      json_mode: advisor.json_mode,
      localOnly: room.mode.mode === "offline",
    },
    prompt,
    maxOutputTokens,
    parameters: advisor.parameters,
  };
}

/** A workspace cannot choose which of the user's secrets a program sees: only what ships or the user names. */
function allowedEnv({ ctx, tables }: Room, advisor: Advisor): string[] {
  if (!advisor.ofWorkspace) return advisor.env;
  const named = (ctx.settings.env("WRIT_ADVISOR_ENV") ?? "").split(",").map((name) => name.trim());
  const allowed = new Set([...tables.catalogue.shippedEnv, ...named]);
  return advisor.env.filter((name) => allowed.has(name));
}
