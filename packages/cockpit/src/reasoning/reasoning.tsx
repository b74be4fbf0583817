import { useState } from "react";
import { type Answer, read } from "../api/read.ts";
import type { PageProps } from "../pages.ts";
import { Card } from "../parts/card.tsx";
import { Failed } from "../parts/failed.tsx";
import { useReadings } from "../use-readings.ts";
import { Advisors } from "./advisors.tsx";
import { Conclusions } from "./conclusions.tsx";
import { Findings } from "./findings.tsx";
import { Standing } from "./standing.tsx";
import { Task } from "./task.tsx";
import { Unresolved } from "./unresolved.tsx";

interface Readings {
  advisors: Answer<"/v1/reasoning/advisors">;
  status: Answer<"/v1/reasoning/status">;
  tasks: Answer<"/v1/task/list">;
  check: Answer<"/v1/reasoning/check">;
}

/** What is uncertain, who can be asked, what was concluded and what is owed. */
export function Reasoning({ round, say }: PageProps) {
  const [task, choose] = useState<string>();
  const load = async (): Promise<Readings> => {
    const [advisors, status, tasks, check] = await Promise.all([
      read("/v1/reasoning/advisors"),
      read("/v1/reasoning/status", { task }),
      read("/v1/task/list"),
      read("/v1/reasoning/check"),
    ]);
    return { advisors, status, tasks, check };
  };
  const { read: found, busy } = useReadings(load, { asked: `${round} ${task ?? ""}`, say });
  return (
    <main aria-busy={busy}>
      {found && (
        <>
          <Card title="Reasoning">
            <Standing advisors={found.advisors} status={found.status} />
          </Card>
          <Card title="Advisors">
            <Advisors answer={found.advisors} />
          </Card>
          <Card title="Task">
            <Task status={found.status} tasks={found.tasks} chosen={task} choose={choose} />
          </Card>
          <Card title="Conclusions">
            <Conclusions answer={found.status} />
          </Card>
          <Card title="Unresolved and debt">
            {found.status.ok ? (
              <Unresolved read={found.status.data} />
            ) : (
              <Failed error={found.status.error} />
            )}
          </Card>
          <Card title="Findings">
            <Findings check={found.check} status={found.status} />
          </Card>
        </>
      )}
    </main>
  );
}
