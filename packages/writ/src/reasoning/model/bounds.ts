/** Bounds of what a record may hold; a breach is E_LIMIT that names the bound. */
export const bounds = {
  /** Of what a caller hands in, as JSON. */
  inputBytes: 64 * 1024,
  stringChars: 8000,
  listItems: 100,
  depth: 6,
  /** Of a record as it is stored. */
  recordBytes: 128 * 1024,
  /** Of the text that is sent to an advisor. */
  briefBytes: 200 * 1024,
  /** Of the text that comes back. */
  answerBytes: 1024 * 1024,
  /** Of what a program may say on its error stream. */
  stderrBytes: 64 * 1024,
  conclusionChars: 1000,
  answerItemChars: 400,
  answerItems: 20,
  diagnosticChars: 300,
  /** No server decides for longer than a day when it is asked again. */
  retryAfterSeconds: 86_400,
  reportBytes: 8 * 1024,
} as const;

/** How often one advisor may be asked for one plan. */
export const mostAttempts = 3;
