/** The page's looks, light and dark after the reader's system. */
export const css = /* css */ `:root {
  color-scheme: light dark;
  --text: light-dark(#1b1d21, #e6e7ea);
  --quiet: light-dark(#565c66, #a3a9b4);
  --ground: light-dark(#ffffff, #15171b);
  --line: light-dark(#d5d8dd, #363b44);
  --accent: light-dark(#0b57c9, #8ab8ff);
}

body {
  max-width: 60rem;
  margin: 0 auto;
  padding: 1rem;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
}

header {
  display: flex;
  justify-content: space-between;
  align-items: center;
}

h1 {
  font-size: 1.4rem;
}

h2 {
  margin-top: 2rem;
  font-size: 1.1rem;
}

dl {
  display: grid;
  grid-template-columns: max-content 1fr;
  gap: 0.25rem 1rem;
}

dt,
.quiet {
  color: var(--quiet);
}

dd {
  margin: 0;
  overflow-wrap: anywhere;
}

code,
td:first-child {
  font-family: ui-monospace, monospace;
}

table {
  width: 100%;
  border-collapse: collapse;
}

caption {
  padding: 0.5rem 0;
  text-align: start;
}

th,
td {
  padding: 0.35rem 1rem 0.35rem 0;
  border-bottom: 1px solid var(--line);
  text-align: start;
  vertical-align: top;
}

input,
button {
  padding: 0.35rem 0.6rem;
  border: 1px solid var(--quiet);
  border-radius: 0.3rem;
  background: transparent;
  color: inherit;
  font: inherit;
}

:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}
`;
