/** The page; its parts are strings in modules, so that they travel with the code wherever it is bundled. */
export const html = /* html */ `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Writ</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/page.css">
    <script type="module" src="/page.js"></script>
  </head>
  <body>
    <header>
      <h1>Writ</h1>
      <p id="state" role="status">Loading…</p>
      <button type="button" id="refresh" hidden>Refresh</button>
      <button type="button" id="logout" hidden>Log out</button>
    </header>
    <main>
      <section aria-labelledby="status-title" hidden>
        <h2 id="status-title">Workspace</h2>
        <p id="headline"></p>
        <dl id="status"></dl>
      </section>
      <section aria-labelledby="next-title" hidden>
        <h2 id="next-title">Try next</h2>
        <p class="quiet">In a terminal, in the workspace's folder:</p>
        <ul id="next"></ul>
      </section>
      <section aria-labelledby="ledger-title" hidden>
        <h2 id="ledger-title">What was done here</h2>
        <ol id="ledger"></ol>
      </section>
      <section aria-labelledby="capabilities-title" hidden>
        <h2 id="capabilities-title">Capabilities</h2>
        <div class="filter">
          <label for="filter">Filter</label>
          <input type="search" id="filter" autocomplete="off" spellcheck="false">
          <span id="count" class="quiet" role="status"></span>
        </div>
        <table>
          <caption class="quiet">What this server offers over HTTP; the same is on the command line and, for agents, on MCP.</caption>
          <thead>
            <tr><th scope="col">Command</th><th scope="col">Effect</th><th scope="col">What it does</th></tr>
          </thead>
          <tbody id="capabilities"></tbody>
        </table>
      </section>
      <noscript><p>This page needs JavaScript. The same is on the command line: <code>writ --help</code></p></noscript>
    </main>
  </body>
</html>
`;

/** The page's mark, so that no browser asks for another. */
export const icon = /* html */ `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b57c9"/><path d="M6 9l5 14 5-11 5 11 5-14" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>
`;

/** A refusal for a person at a browser: what happened, why, and what to do. */
export function refusalPage(refusal: { message: string; cause: string; remediation: string }): string {
  const { message, cause, remediation } = refusal;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Writ: not logged in</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/page.css">
  </head>
  <body>
    <header><h1>Writ</h1></header>
    <main>
      <h2>${escaped(message)}</h2>
      <p>${escaped(cause)}</p>
      <p>${escaped(remediation)}</p>
      <p><a href="/">If you have logged in here before, the page may still be open to you.</a></p>
    </main>
  </body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
