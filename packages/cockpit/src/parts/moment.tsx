/** An instant in the reader's own time. */
export function Moment({ at }: { at: string }) {
  const text = new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return <time dateTime={at}>{text}</time>;
}
