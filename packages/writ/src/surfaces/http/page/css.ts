/** The page's looks, light and dark after the reader's system. */
export const css = /* css */ `:root {
  color-scheme: light dark;
  --text: light-dark(#1b1d21, #e6e7ea);
  --quiet: light-dark(#565c66, #a3a9b4);
  --ground: light-dark(#ffffff, #15171b);
  --raised: light-dark(#f5f6f8, #1e2127);
  --line: light-dark(#d5d8dd, #363b44);
  --accent: light-dark(#0b57c9, #8ab8ff);
  --good: light-dark(#17663a, #7fd6a2);
  --bad: light-dark(#a32020, #ff9d94);
}

* {
  box-sizing: border-box;
}

[hidden] {
  display: none;
}

body {
  max-width: 62rem;
  margin: 0 auto;
  padding: 1rem;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
}

header {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: 0.5rem 1rem;
  padding-bottom: 0.75rem;
  border-bottom: 1px solid var(--line);
}

h1,
h2,
p,
ul,
ol,
dl,
dd {
  margin: 0;
  padding: 0;
}

h1 {
  font-size: 1.4rem;
}

#state {
  flex: 1 1 12rem;
  color: var(--quiet);
}

section {
  margin-top: 2rem;
}

h2 {
  margin-bottom: 0.5rem;
  font-size: 1.1rem;
}

main > h2,
main > p {
  margin-top: 1rem;
}

#headline {
  font-weight: 600;
}

#headline[data-tone="good"]::before {
  content: "✓ ";
  color: var(--good);
}

#headline[data-tone="bad"]::before {
  content: "! ";
  color: var(--bad);
}

dl {
  display: grid;
  grid-template-columns: max-content 1fr;
  gap: 0.25rem 1.5rem;
  margin-top: 0.5rem;
}

dt,
.quiet,
caption {
  color: var(--quiet);
}

dd {
  overflow-wrap: anywhere;
}

ul,
ol {
  list-style: none;
}

#next {
  margin-top: 0.5rem;
}

#next li {
  margin-bottom: 0.35rem;
}

code {
  font-family: ui-monospace, monospace;
  font-size: 0.95em;
  overflow-wrap: anywhere;
}

#next code {
  display: inline-block;
  padding: 0.15rem 0.5rem;
  border: 1px solid var(--line);
  border-radius: 0.3rem;
  background: var(--raised);
  user-select: all;
}

#ledger li {
  padding: 0.4rem 0;
  border-bottom: 1px solid var(--line);
}

.outcome {
  margin-inline-start: 0.5rem;
  color: var(--good);
}

.outcome[data-tone="bad"] {
  color: var(--bad);
}

#ledger .quiet {
  display: block;
  font-size: 0.9rem;
  overflow-wrap: anywhere;
}

.filter {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: 0.5rem;
}

table {
  width: 100%;
  margin-top: 0.5rem;
  border-collapse: collapse;
}

caption {
  padding-bottom: 0.5rem;
  text-align: start;
}

th,
td {
  padding: 0.35rem 1rem 0.35rem 0;
  border-bottom: 1px solid var(--line);
  text-align: start;
  vertical-align: top;
}

th:last-child,
td:last-child {
  padding-inline-end: 0;
}

td:first-child {
  white-space: nowrap;
  font-family: ui-monospace, monospace;
  font-size: 0.95em;
}

@media (max-width: 40rem) {
  thead {
    position: absolute;
    clip-path: inset(50%);
  }

  tr,
  td {
    display: block;
  }

  tr {
    padding: 0.4rem 0;
    border-bottom: 1px solid var(--line);
  }

  td {
    padding: 0;
    border: 0;
  }

  td:first-child,
  td:nth-child(2) {
    display: inline-block;
    margin-inline-end: 0.75rem;
  }

  td:nth-child(2) {
    color: var(--quiet);
  }

  dl {
    grid-template-columns: 1fr;
    row-gap: 0;
  }

  dd {
    margin-bottom: 0.5rem;
  }
}

input,
button {
  padding: 0.3rem 0.7rem;
  border: 1px solid var(--quiet);
  border-radius: 0.3rem;
  background: var(--raised);
  color: inherit;
  font: inherit;
}

input {
  flex: 0 1 20rem;
  min-width: 0;
}

button {
  cursor: pointer;
}

a {
  color: var(--accent);
}

:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}
`;
