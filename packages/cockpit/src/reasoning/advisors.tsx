import type { Answer, Data } from "../api/read.ts";
import { Failed } from "../parts/failed.tsx";
import { Mark } from "../parts/mark.tsx";
import { Moment } from "../parts/moment.tsx";
import { Advice } from "../parts/advice.tsx";
import { spoken } from "../words.ts";

export function Advisors({ answer: { ok, data, error } }: { answer: Answer<"/v1/reasoning/advisors"> }) {
  if (!ok) return <Failed error={error} />;
  return (
    <>
      {data.available === 0 && (
        <Advice
          said="Nobody can be asked now. That is a normal state: Writ plans and records a local review in place of an advisor's."
          commands={["writ reasoning advisors", "writ guide reasoning"]}
        />
      )}
      <ul className="items">
        {data.advisors.map((one) => (
          <Advisor key={one.id} {...one} />
        ))}
      </ul>
    </>
  );
}

function Advisor(one: Data<"/v1/reasoning/advisors">["advisors"][number]) {
  const { id, title, status, transport, reason, detail, recovering, circuit, capabilities } = one;
  const why = [spoken(transport), spoken(reason), detail, recovering ? "recovering" : undefined]
    .filter(Boolean)
    .join(" · ");
  return (
    <li>
      <code>{id}</code>
      <Mark tone={status === "available" ? "good" : "quiet"} word={spoken(status)} />
      <span className="quiet">{title === id ? why : `${title} · ${why}`}</span>
      <span className="quiet">{capabilities.map(spoken).join(", ")}</span>
      {circuit && (
        <span className="quiet">
          Held ({circuit.class}) until <Moment at={circuit.until} />
        </span>
      )}
    </li>
  );
}
