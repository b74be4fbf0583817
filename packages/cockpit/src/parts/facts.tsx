import { Fragment, type ReactNode } from "react";

export type Fact = readonly [name: string, value: ReactNode];

/** Names and what each of them is. */
export function Facts({ id, facts }: { id?: string; facts: readonly Fact[] }) {
  return (
    <dl id={id}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
