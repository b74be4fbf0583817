import { useState } from "react";
import type { Operations } from "../api/session.ts";
import { Card } from "../parts/card.tsx";

/** What the server offers, with a filter over it. */
export function Capabilities({ operations }: { operations: Operations }) {
  const [typed, type] = useState("");
  const all = Object.entries(operations).flatMap(([path, { post }]) =>
    post?.["x-writ"]
      ? [
          {
            command: path.replace("/v1/", "").replaceAll("/", " "),
            effect: post["x-writ"].effect,
            summary: post.summary,
          },
        ]
      : [],
  );
  const wanted = typed.trim().toLowerCase();
  const shown = all.filter((one) => Object.values(one).join("").toLowerCase().includes(wanted));
  return (
    <Card title="Capabilities">
      <div className="filter">
        <label htmlFor="filter">Filter</label>
        <input
          type="search"
          id="filter"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => type(target.value)}
        />
        <span id="count" className="quiet" role="status">
          {shown.length} of {all.length}
        </span>
      </div>
      <table>
        <caption className="quiet">
          What this server offers over HTTP; the same is on the command line and, for agents, on MCP.
        </caption>
        <thead>
          <tr>
            <th scope="col">Command</th>
            <th scope="col">Effect</th>
            <th scope="col">What it does</th>
          </tr>
        </thead>
        <tbody id="capabilities">
          {shown.map(({ command, effect, summary }) => (
            <tr key={command}>
              <td>{command}</td>
              <td>{effect}</td>
              <td>{summary}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
