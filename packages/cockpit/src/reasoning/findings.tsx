import type { Answer } from "../api/read.ts";
import { Failed } from "../parts/failed.tsx";
import { Mark } from "../parts/mark.tsx";

/** What the checks found. A check that finds something fails, and brings its findings all the same. */
export function Findings(given: {
  check: Answer<"/v1/reasoning/check">;
  status: Answer<"/v1/reasoning/status">;
}) {
  const { check, status } = given;
  const { checks, findings } = check.data;
  if (!checks || !findings) return check.ok ? null : <Failed error={check.error} />;
  const ran = checks.filter((one) => one.status !== "skipped").map(({ name }) => name);
  const skipped = checks.filter((one) => one.status === "skipped");
  const unreadable = status.data.state?.unreadable ?? [];
  return (
    <>
      <p className="headline" data-tone={check.ok ? "good" : "bad"}>
        {check.ok ? "No check failed." : check.error.message}
      </p>
      <p className="quiet">Checked: {ran.join(", ")}</p>
      {skipped.map(({ name, reason }) => (
        <p key={name} className="quiet">
          Not checked: {name}, because {reason}
        </p>
      ))}
      <ul className="items">
        {findings.map(({ check: name, level, subject, message }) => (
          <li key={`${name} ${subject}`}>
            {subject}: {message}
            <Mark tone={level === "error" ? "bad" : "quiet"} word={level} />
            <span className="quiet">{name}</span>
          </li>
        ))}
        {unreadable.map(({ file, cause }) => (
          <li key={file}>
            {file}: {cause}
            <Mark tone="bad" word="unreadable" />
          </li>
        ))}
      </ul>
    </>
  );
}
