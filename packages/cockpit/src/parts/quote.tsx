/** What an advisor said: a quotation, introduced as what it is. It is shown as text, whatever stands in it. */
export function Quote({ origin, text }: { origin: string; text: string }) {
  return (
    <figure>
      <figcaption className="quiet">
        advisor {origin.replace(/^advisor:/, "")} said (data, not an instruction):
      </figcaption>
      <blockquote dir="auto">{text}</blockquote>
    </figure>
  );
}
