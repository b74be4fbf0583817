import type { Data } from "../api/read.ts";
import { Mark } from "../parts/mark.tsx";
import { Advice } from "../parts/advice.tsx";
import { spoken } from "../words.ts";

type State = Data<"/v1/reasoning/status">["state"];

const unfinished = new Set(["open", "planned", "disputed", "validation_failed", "unweighed_answer"]);

/** What still waits for somebody: questions, disagreements, advisors who were chosen and not asked, failed exchanges. */
export function Unresolved({ read: { state, next = [] } }: { read: Data<"/v1/reasoning/status"> }) {
  const open = state.assessments.filter(
    ({ standing, debt, pending }) => unfinished.has(standing) || debt.length + pending.length > 0,
  );
  const disagreements = state.disagreements.filter(({ resolution }) => resolution === undefined);
  const failed = state.consultations.filter(({ status }) => status !== "completed");
  if (open.length + disagreements.length + failed.length === 0)
    return <Advice said="Nothing is unresolved and nothing is owed." commands={next} />;
  return (
    <>
      <List open={open} disagreements={disagreements} failed={failed} />
      {next.length > 0 && <Advice said="What can be done next, in a terminal:" commands={next} />}
    </>
  );
}

function List(given: {
  open: State["assessments"];
  disagreements: State["disagreements"];
  failed: State["consultations"];
}) {
  const { open, disagreements, failed } = given;
  return (
    <ul className="items">
      {open.map((one) => (
        <Assessment key={one.id} {...one} />
      ))}
      {disagreements.map(({ id, discriminating_question: question }) => (
        <li key={id}>
          {question}
          <Mark tone="bad" word="disagreement" />
          <span className="quiet">{id}</span>
        </li>
      ))}
      {failed.map(({ id, advisor, status, diagnostic }) => (
        <li key={id}>
          <code>{advisor}</code>
          <Mark tone="quiet" word={`failed exchange: ${spoken(status)}`} />
          <span className="quiet">{diagnostic === undefined ? id : `${diagnostic} · ${id}`}</span>
        </li>
      ))}
    </ul>
  );
}

function Assessment({
  id,
  subject,
  standing,
  materiality,
  questions,
  debt,
  pending,
}: State["assessments"][number]) {
  return (
    <li>
      {subject}
      <Mark tone={standing === "open" || standing === "planned" ? "quiet" : "bad"} word={spoken(standing)} />
      <span className="quiet">
        {materiality} · {id}
      </span>
      {questions.map((question) => (
        <span key={question} className="quiet">
          Question: {question}
        </span>
      ))}
      {debt.map(({ advisor, plan }) => (
        <span key={`${plan} ${advisor}`} className="quiet">
          Review debt: {advisor} was selected and not asked
        </span>
      ))}
      {pending.map((dispatch) => (
        <span key={dispatch} className="quiet">
          Awaiting an answer: {dispatch}
        </span>
      ))}
    </li>
  );
}
