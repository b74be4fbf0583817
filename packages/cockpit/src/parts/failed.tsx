import type { Failure } from "../api/read.ts";
import { Facts } from "./facts.tsx";

/** A refusal: what happened, why, and what to do. */
export function Failed({ error }: { error: Failure }) {
  return (
    <>
      <p className="headline" data-tone="bad">
        {error.message}
      </p>
      <Facts
        facts={[
          ["Why", error.cause],
          ["What to do", error.remediation],
        ]}
      />
    </>
  );
}
