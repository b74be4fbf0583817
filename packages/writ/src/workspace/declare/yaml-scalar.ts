// What YAML 1.2 core reads as something other than text when it stands without quotes.
const resolved =
  /^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE|[-+]?\d+|0o[0-7]+|0x[\da-fA-F]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const indicator = /^[,[\]{}#&*!|>'"%@`]/;
const printable =
  /^[\u0020-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u;

function isPlain(text: string): boolean {
  if (text === "" || text !== text.trim() || resolved.test(text) || !printable.test(text)) return false;
  if (indicator.test(text) || /^[-?:](?:\s|$)/.test(text) || /^(?:---|\.\.\.)/.test(text)) return false;
  return !/:(?:\s|$)/.test(text) && !/\s#/.test(text);
}

/** One line of text as a YAML scalar: plain where YAML reads it back as the same text, else in double quotes. */
export function printScalar(text: string): string {
  if (isPlain(text)) return text;
  // JSON's escapes are YAML's; what JSON leaves bare and YAML would not keep is escaped besides.
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
