/** Command lines to paste into a terminal. */
export function Commands({ id, lines }: { id?: string; lines: readonly string[] }) {
  return (
    <ul id={id} className="commands">
      {lines.map((line) => (
        <li key={line}>
          <code>{line}</code>
        </li>
      ))}
    </ul>
  );
}
