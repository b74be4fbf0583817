import type { Data } from "../api/read.ts";
import { Mark } from "../parts/mark.tsx";
import { Moment } from "../parts/moment.tsx";
import { Quote } from "../parts/quote.tsx";
import { spoken } from "../words.ts";

// A page of thousands of steps is read by nobody, and takes seconds to draw.
const most = 200;

/** The newest steps, oldest of them first. */
export function Timeline(given: { task: string; steps: Data<"/v1/reasoning/status">["state"]["timeline"] }) {
  const { task, steps } = given;
  const left = steps.length - most;
  return (
    <>
      {left > 0 && (
        <p className="quiet">
          {left} earlier: <code>writ reasoning status --task {task}</code>
        </p>
      )}
      <ol className="items">
        {steps.slice(-most).map(({ id, at, phase, summary, quote }) => (
          <li key={id}>
            {summary}
            <Mark tone="quiet" word={spoken(phase)} />
            <span className="quiet">
              <Moment at={at} /> · {id}
            </span>
            {quote && <Quote {...quote} />}
          </li>
        ))}
      </ol>
    </>
  );
}
