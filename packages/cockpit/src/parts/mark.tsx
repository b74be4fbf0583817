/** A word that says how something stands. */
export function Mark({ tone, word }: { tone: "good" | "bad" | "quiet"; word: string }) {
  return (
    <span className="outcome" data-tone={tone}>
      {word}
    </span>
  );
}
