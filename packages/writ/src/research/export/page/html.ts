import { xml } from "../xml.ts";

/** The page around its data: everything that a reader without scripts or pictures needs stands here. */
export function html(parts: {
  title: string;
  policy: string;
  css: string;
  data: string;
  script: string;
}): string {
  const { title, policy, css, data, script } = parts;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${xml(policy)}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="referrer" content="no-referrer">
    <title>${xml(title)}</title>
    <style>${css}</style>
  </head>
  <body>
    <header>
      <h1>${xml(title)}</h1>
      <form id="controls">
        <label id="network-label">Network <select id="network"></select></label>
        <label>Search <input id="search" type="search" autocomplete="off" spellcheck="false"></label>
        <label>Colour by <select id="colour"></select></label>
        <button id="view" type="button" aria-pressed="false">List</button>
        <button id="theme" type="button">Dark</button>
      </form>
    </header>
    <main>
      <div id="stage">
        <canvas id="map" tabindex="0" role="img"></canvas>
        <div id="zoom" role="group" aria-label="Zoom">
          <button id="closer" type="button" aria-label="Zoom in">+</button>
          <button id="farther" type="button" aria-label="Zoom out">&minus;</button>
          <button id="whole" type="button">Whole</button>
        </div>
        <ul id="legend" aria-label="Colours"></ul>
        <div id="list" role="region" aria-label="List" tabindex="0" hidden></div>
      </div>
      <aside aria-label="Card" aria-live="polite"><div id="card"></div></aside>
    </main>
    <footer><span id="about"></span> <span id="found" role="status"></span></footer>
    <noscript>This page draws a network with a script of its own; it asks for nothing else.</noscript>
    <script type="application/json" id="data">${data}</script>
    <script>${script}</script>
  </body>
</html>
`;
}
