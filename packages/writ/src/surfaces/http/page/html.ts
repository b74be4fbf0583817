/** The page; its parts are strings in modules, so that they travel with the code wherever it is bundled. */
export const html = /* html */ `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Writ</title>
    <link rel="stylesheet" href="/page.css">
    <script type="module" src="/page.js"></script>
  </head>
  <body>
    <header>
      <h1>Writ</h1>
      <button type="button" id="logout" hidden>Log out</button>
    </header>
    <main>
      <p id="state" role="status">Loading…</p>
      <section aria-labelledby="status-title" hidden>
        <h2 id="status-title">Workspace</h2>
        <dl id="status"></dl>
      </section>
      <section aria-labelledby="capabilities-title" hidden>
        <h2 id="capabilities-title">Capabilities</h2>
        <label for="filter">Filter</label>
        <input type="search" id="filter" autocomplete="off">
        <table>
          <caption class="quiet">What this server offers over HTTP; most is on the command line and MCP too.</caption>
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
