/** The looks of a network's page, light and dark after the reader's system or choice. */
export const css = /* css */ `:root {
  color-scheme: light dark;
  --text: light-dark(#1b1d21, #e6e7ea);
  --quiet: light-dark(#565c66, #a3a9b4);
  --ground: light-dark(#ffffff, #15171b);
  --raised: light-dark(#f5f6f8, #1e2127);
  --line: light-dark(#d5d8dd, #363b44);
  --accent: light-dark(#0b57c9, #8ab8ff);
}

:root[data-theme="light"] {
  color-scheme: light;
}

:root[data-theme="dark"] {
  color-scheme: dark;
}

* {
  box-sizing: border-box;
}

[hidden] {
  display: none !important;
}

html,
body {
  height: 100%;
}

body {
  display: grid;
  grid-template-rows: auto minmax(0, 1fr) auto;
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.45 system-ui, sans-serif;
}

h1,
h2,
h3,
p,
ul,
ol,
dl,
dd,
table {
  margin: 0;
  padding: 0;
}

h1 {
  font-size: 1.15rem;
}

h2 {
  font-size: 1.05rem;
  line-height: 1.3;
}

h3 {
  margin-top: 1rem;
  color: var(--quiet);
  font-size: 0.8rem;
  font-weight: 600;
  letter-spacing: 0.04em;
  text-transform: uppercase;
}

header {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.5rem 1rem;
  padding: 0.6rem 1rem;
  border-bottom: 1px solid var(--line);
}

header form {
  display: flex;
  flex: 1 1 20rem;
  flex-wrap: wrap;
  align-items: center;
  justify-content: flex-end;
  gap: 0.5rem 0.75rem;
}

label {
  color: var(--quiet);
  font-size: 0.875rem;
}

input,
select,
button {
  min-height: 2rem;
  padding: 0.2rem 0.6rem;
  border: 1px solid var(--line);
  border-radius: 0.4rem;
  background: var(--raised);
  color: var(--text);
  font: inherit;
  font-size: 0.9rem;
}

input[type="search"] {
  width: 14rem;
  max-width: 100%;
}

button {
  cursor: pointer;
}

button:hover {
  border-color: var(--accent);
}

button[aria-pressed="true"] {
  border-color: var(--accent);
  color: var(--accent);
}

:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}

a {
  color: var(--accent);
}

main {
  display: grid;
  grid-template-columns: minmax(0, 1fr) min(24rem, 40vw);
  min-height: 0;
}

#stage {
  position: relative;
  min-height: 0;
}

#map {
  display: block;
  width: 100%;
  height: 100%;
  border: 0 solid var(--line);
  background: var(--ground);
  color: var(--text);
  cursor: grab;
  touch-action: none;
}

#map:active {
  cursor: grabbing;
}

#map:focus-visible {
  outline-offset: -3px;
}

#zoom {
  position: absolute;
  top: 0.75rem;
  right: 0.75rem;
  display: flex;
  gap: 0.35rem;
}

#legend {
  position: absolute;
  bottom: 0.75rem;
  left: 0.75rem;
  display: flex;
  flex-wrap: wrap;
  gap: 0.3rem;
  max-width: calc(100% - 1.5rem);
  max-height: 40%;
  overflow: auto;
  list-style: none;
}

#legend button {
  display: flex;
  align-items: center;
  gap: 0.4rem;
  min-height: 1.7rem;
  padding: 0.1rem 0.5rem;
  font-size: 0.8rem;
}

#legend svg {
  width: 0.8rem;
  height: 0.8rem;
}

#list {
  height: 100%;
  padding: 0.5rem 1rem 1rem;
  overflow: auto;
}

table {
  width: 100%;
  border-collapse: collapse;
  font-size: 0.9rem;
}

th,
td {
  padding: 0.35rem 0.5rem;
  border-bottom: 1px solid var(--line);
  text-align: left;
  vertical-align: top;
}

thead th {
  color: var(--quiet);
  font-weight: 600;
}

td:not(:first-child),
thead th:not(:first-child) {
  text-align: right;
  white-space: nowrap;
}

.link {
  min-height: 0;
  padding: 0;
  border: 0;
  border-radius: 0.15rem;
  background: none;
  color: var(--accent);
  overflow-wrap: anywhere;
  text-align: left;
  text-decoration: underline;
}

aside {
  padding: 1rem;
  border-left: 1px solid var(--line);
  background: var(--raised);
  overflow: auto;
  overflow-wrap: anywhere;
}

aside p {
  margin-top: 0.5rem;
}

.quiet,
dt {
  color: var(--quiet);
}

dl {
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 0.15rem 0.75rem;
  margin-top: 0.75rem;
  font-size: 0.9rem;
}

.neighbours {
  margin-top: 0.35rem;
  padding-left: 1.2rem;
  font-size: 0.9rem;
}

.neighbours li {
  margin-top: 0.25rem;
}

footer {
  padding: 0.4rem 1rem;
  border-top: 1px solid var(--line);
  color: var(--quiet);
  font-size: 0.8rem;
}

@media (max-width: 46rem) {
  body {
    height: auto;
    min-height: 100%;
  }

  main {
    grid-template-columns: minmax(0, 1fr);
    grid-template-rows: 60vh auto;
  }

  aside {
    border-top: 1px solid var(--line);
    border-left: 0;
  }

  header form {
    justify-content: flex-start;
  }
}
`;
