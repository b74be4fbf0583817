import type { Answer, Data } from "../api/read.ts";
import { Failed } from "../parts/failed.tsx";
import { type Fact, Facts } from "../parts/facts.tsx";
import { words } from "../words.ts";

/** Whether reasoning works (it does), how much outside review is allowed, who could give it, and what is used up. */
export function Standing({
  advisors,
  status,
}: {
  advisors: Answer<"/v1/reasoning/advisors">;
  status: Answer<"/v1/reasoning/status">;
}) {
  const mode = advisors.data.mode ?? status.data.mode;
  const facts: Fact[] = [["Operational", "Yes, with or without advisors"]];
  if (mode) facts.push(["Mode", `${mode.mode} (${mode.source})`]);
  return (
    <>
      <Facts facts={advisors.ok ? [...facts, ...factsOf(advisors.data)] : facts} />
      {!advisors.ok && <Failed error={advisors.error} />}
    </>
  );
}

type Reading = Data<"/v1/reasoning/advisors">;

function factsOf({ available, unavailable, capacity, limits }: Reading): Fact[] {
  return [
    ["Advisors", `${available} available, ${unavailable} optional, not available`],
    ...capacity.map(
      ({ capability, available: who }): Fact => [
        words(capability),
        who.length > 0 ? who.join(", ") : "local review",
      ],
    ),
    ...limits.map(
      ({ window, used, limit }): Fact => [
        `Limit of ${words(window).toLowerCase()}`,
        `${used} of ${limit} used`,
      ],
    ),
  ];
}
