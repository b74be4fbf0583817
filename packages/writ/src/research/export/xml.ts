// What XML 1.0 cannot hold in any form: most control characters, halves of pairs, and two that are no characters.
const unspeakable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const names: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** Text for an element or an attribute of XML. */
export function xml(text: string): string {
  return text
    .replaceAll(unspeakable, "\ufffd")
    .replaceAll(/[&<>"\t\n\r]/g, (letter) => names[letter] ?? letter);
}
