import type { Answer, Data } from "../api/read.ts";
import { Card } from "../parts/card.tsx";
import { Failed } from "../parts/failed.tsx";
import { Mark } from "../parts/mark.tsx";
import { Moment } from "../parts/moment.tsx";
import { listed } from "../words.ts";

export function Ledger({ answer: { ok, data, error } }: { answer: Answer<"/v1/ledger/list"> }) {
  if (ok && data.events.length === 0) return null;
  return (
    <Card title="What was done here">
      {ok ? (
        <ol id="ledger" className="items">
          {data.events.map((event) => (
            <Event key={event.id} {...event} />
          ))}
        </ol>
      ) : (
        <Failed error={error} />
      )}
    </Card>
  );
}

const tones: Record<string, "good" | "quiet"> = { done: "good", started: "quiet" };

function Event(event: Data<"/v1/ledger/list">["events"][number]) {
  const { at, actor, acts_for: actsFor, capability, kind, outcome, code, subjects } = event;
  const about = listed(subjects, 3);
  return (
    <li>
      {(capability ?? kind).replaceAll(".", " ")}
      <Mark tone={tones[outcome] ?? "bad"} word={code ? `${outcome}: ${code}` : outcome} />
      <span className="quiet">
        <Moment at={at} />
        {` · ${actsFor ? `${actor} for ${actsFor}` : actor}${about ? ` · ${about}` : ""}`}
      </span>
    </li>
  );
}
