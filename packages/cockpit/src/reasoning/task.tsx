import type { Answer, Data } from "../api/read.ts";
import { Failed } from "../parts/failed.tsx";
import { Facts } from "../parts/facts.tsx";
import { Advice } from "../parts/advice.tsx";
import { Timeline } from "./timeline.tsx";

/** One task: which, what it used, what happened in it, and the report that travels on. */
export function Task(given: {
  status: Answer<"/v1/reasoning/status">;
  tasks: Answer<"/v1/task/list">;
  chosen: string | undefined;
  choose(task: string | undefined): void;
}) {
  const { status, tasks, chosen, choose } = given;
  return (
    <>
      {tasks.ok ? (
        <Picker tasks={tasks.data} chosen={chosen} choose={choose} />
      ) : (
        <Failed error={tasks.error} />
      )}
      {status.ok ? <Shown read={status.data} /> : <Failed error={status.error} />}
    </>
  );
}

function Picker(given: {
  tasks: Data<"/v1/task/list">;
  chosen: string | undefined;
  choose(task: string | undefined): void;
}) {
  const { tasks, chosen, choose } = given;
  const others = tasks.tasks.filter(({ id }) => id !== tasks.open);
  return (
    <>
      {tasks.open === undefined && (
        <Advice
          said="No task is open; what is recorded now belongs to none."
          commands={["writ task start my-task"]}
        />
      )}
      <p className="filter">
        <label htmlFor="task">Show</label>
        <select id="task" value={chosen ?? ""} onChange={({ target }) => choose(target.value || undefined)}>
          <option value="">
            {tasks.open === undefined ? "what belongs to no task" : `${tasks.open} (open)`}
          </option>
          {others.map(({ id, closed_at: closedAt }) => (
            <option key={id} value={id}>
              {closedAt === undefined ? id : `${id} (closed)`}
            </option>
          ))}
          {tasks.open !== undefined && <option value="untasked">what belongs to no task</option>}
          <option value="all">all tasks</option>
        </select>
      </p>
    </>
  );
}

function Shown({ read }: { read: Data<"/v1/reasoning/status"> }) {
  const { state, report } = read;
  const { totals, chain } = state;
  if (totals.records === 0)
    return (
      <Advice
        said="Nothing was recorded here yet. What a record looks like, and how it is written:"
        commands={["writ schema reasoning-record", "writ reasoning record --help"]}
      />
    );
  return (
    <>
      <Facts
        facts={[
          ["Records", totals.records],
          ["Answers", totals.answers],
          ["Failed exchanges", totals.failed_exchanges],
          ["Advisors who answered", totals.advisors],
          ["Independent sources", totals.sources],
          ["Tokens", `${totals.input_tokens} in, ${totals.output_tokens} out`],
          ["Record chain", `${chain.seq} at ${chain.digest.slice(0, 12)}`],
        ]}
      />
      <h3>What happened</h3>
      <Timeline task={state.task} steps={state.timeline} />
      <h3>Report</h3>
      <p className="quiet">As the next session reads it, in the context and in the handover.</p>
      <pre aria-label="Report" tabIndex={0}>
        {report}
      </pre>
    </>
  );
}
