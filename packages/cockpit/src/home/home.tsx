import { type Answer, read } from "../api/read.ts";
import { Card } from "../parts/card.tsx";
import { Commands } from "../parts/commands.tsx";
import type { PageProps } from "../pages.ts";
import { useReadings } from "../use-readings.ts";
import { Capabilities } from "./capabilities.tsx";
import { Ledger } from "./ledger.tsx";
import { Status } from "./status.tsx";

interface Readings {
  status: Answer<"/v1/status"> | undefined;
  ledger: Answer<"/v1/ledger/list"> | undefined;
}

/** How the workspace stands, what to try, what was done and what there is. */
export function Home({ operations, round, say }: PageProps) {
  const load = async (): Promise<Readings> => {
    const [status, ledger] = await Promise.all([
      operations["/v1/status"]?.get ? read("/v1/status") : undefined,
      operations["/v1/ledger/list"]?.get ? read("/v1/ledger/list", { limit: 8 }) : undefined,
    ]);
    return { status, ledger };
  };
  const { read: found, busy } = useReadings(load, { asked: String(round), say });
  const next = found?.status?.data.next ?? [];
  const commands =
    next.length > 0 ? next : worthALook.filter(([path]) => operations[path]).map(([, line]) => line);
  return (
    <main aria-busy={busy}>
      {found?.status && <Status answer={found.status} />}
      {found && commands.length > 0 && (
        <Card title="Try next">
          <p className="quiet">In a terminal, in the workspace's folder:</p>
          <Commands id="next" lines={commands} />
        </Card>
      )}
      {found?.ledger && <Ledger answer={found.ledger} />}
      <Capabilities operations={operations} />
    </main>
  );
}

/** Where the status asks for nothing. */
const worthALook: readonly (readonly [path: string, line: string])[] = [
  ["/v1/explain", "writ explain AGENTS.md"],
  ["/v1/ledger/verify", "writ ledger verify"],
  ["/v1/mcp/install", "writ mcp install --client claude-code --dry-run"],
];
