import { drawing } from "./drawing.ts";

/** The page's script; written without backquotes, since it stands between two. Texts go in as text, never as HTML. */
export const script = /* js */ `"use strict";
(() => {
const at = (id) => document.getElementById(id);
const networks = JSON.parse(at("data").textContent).networks;
let network;
let chosen = -1;
let matches;
let pressed;

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const number = (value) => (Number.isInteger(value) ? value.toLocaleString("en") : String(Math.round(value * 1e4) / 1e4));
const plain = (text) => text.normalize("NFD").replace(/\\p{Mn}/gu, "").toLowerCase();

${drawing}

/** Groups that nodes are coloured by: each has a name, a colour and a test. */
const colourings = {
  community: {
    name: "community",
    isFor: (nodes) => nodes.some((node) => node.community !== undefined),
    groups: () => {
      const sizes = new Map();
      for (const { community } of network.nodes) sizes.set(community, (sizes.get(community) ?? 0) + 1);
      const named = network.colours.map((colour, k) => ({
        name: "Community " + k + ", " + number(sizes.get(k) ?? 0),
        colour,
        holds: (node) => node.community === k,
        size: sizes.get(k) ?? 0,
      }));
      const rest = { name: "Others", colour: network.rest, holds: (node) => node.community === undefined || node.community >= network.colours.length };
      return [...named, { ...rest, size: network.nodes.filter(rest.holds).length }].filter(({ size }) => size > 0);
    },
  },
  year: {
    name: "year",
    isFor: (nodes) => nodes.some((node) => node.year !== undefined),
    groups: () => {
      const years = network.nodes.flatMap(({ year }) => year ?? []).sort((a, b) => a - b);
      const scale = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#d2b700"];
      const cuts = scale.map((_, k) => years[Math.floor((k * years.length) / scale.length)]);
      const groups = scale.map((colour, k) => {
        const [from, to] = [cuts[k], k === scale.length - 1 ? years.at(-1) : cuts[k + 1] - 1];
        return { name: from === to ? String(from) : from + " to " + to, colour, holds: ({ year }) => year >= from && year <= to, size: to >= from ? 1 : 0 };
      });
      const holds = ({ year }) => year === undefined;
      return [...groups, { name: "No year", colour: network.rest, holds, size: network.nodes.some(holds) ? 1 : 0 }].filter(({ size }) => size > 0);
    },
  },
  status: {
    name: "status",
    isFor: (nodes) => nodes.some((node) => node.status !== undefined),
    groups: () =>
      [["Accepted", "accepted", "#009e73"], ["Candidate", "candidate", "#0072b2"], ["Rejected", "rejected", "#d55e00"]]
        .map(([name, word, colour]) => ({ name, colour, holds: ({ status }) => status === word }))
        .filter(({ holds }) => network.nodes.some(holds)),
  },
};

function paint() {
  const { groups } = colourings[at("colour").value] ?? { groups: () => [] };
  network.groups = groups();
  for (const node of network.nodes) node.colour = (network.groups.find(({ holds }) => holds(node)) ?? { colour: network.rest }).colour;
  pressed = undefined;
  at("legend").replaceChildren(...network.groups.map((group) => {
    const item = element("li");
    const button = element("button", undefined, { type: "button", "aria-pressed": "false" });
    const swatch = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    swatch.setAttribute("viewBox", "0 0 8 8");
    swatch.setAttribute("aria-hidden", "true");
    const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    for (const [key, value] of Object.entries({ cx: 4, cy: 4, r: 4, fill: group.colour })) dot.setAttribute(key, value);
    swatch.append(dot);
    button.append(swatch, element("span", group.name));
    button.addEventListener("click", () => {
      pressed = pressed === group ? undefined : group;
      for (const other of at("legend").querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button && pressed === group));
      search();
    });
    item.append(button);
    return item;
  }));
  search();
}

/** Which nodes hold what was typed and are of the group that was pressed. */
function search() {
  const words = plain(at("search").value).split(/\\s+/).filter(Boolean);
  const wanted = words.length > 0 || pressed !== undefined;
  matches = wanted
    ? new Set([...network.nodes.keys()].filter((k) => {
        const node = network.nodes[k];
        node.words ??= plain([node.title ?? node.label, node.authors, node.keywords, node.venue, node.id].filter(Boolean).join(" "));
        return (pressed === undefined || pressed.holds(node)) && words.every((word) => node.words.includes(word));
      }))
    : undefined;
  at("found").textContent = matches === undefined ? "" : number(matches.size) + " of " + number(network.nodes.length) + " match.";
  list();
  draw();
}

const step = 200;
let shown = step;

/** The same nodes as a table, the best linked first; for keyboards and screen readers, and for reading. */
function list() {
  if (at("list").hidden) return;
  const rows = network.byDegree.filter((k) => matches === undefined || matches.has(k));
  const table = element("table");
  const names = [network.isPaper ? "Paper" : "Name", ...(network.isPaper ? ["Year"] : []), "Links"];
  const head = element("tr");
  head.append(...names.map((name) => element("th", name, { scope: "col" })));
  table.append(element("thead"), element("tbody"));
  table.tHead.append(head);
  for (const k of rows.slice(0, shown)) {
    const node = network.nodes[k];
    const row = element("tr");
    const first = element("td");
    first.append(opener(k));
    row.append(first, ...(network.isPaper ? [element("td", node.year ?? "")] : []), element("td", number(node.degree)));
    table.tBodies[0].append(row);
  }
  const parts = [table];
  if (rows.length > shown) {
    const more = element("button", "Show more", { type: "button" });
    more.addEventListener("click", () => {
      shown += step;
      list();
    });
    parts.push(more);
  }
  at("list").replaceChildren(...parts);
}

function opener(k) {
  const button = element("button", network.nodes[k].title ?? network.nodes[k].label, { type: "button", class: "link" });
  button.addEventListener("click", () => choose(k));
  return button;
}

function safeAddress(text) {
  try {
    const address = new URL(text);
    return ["https:", "http:"].includes(address.protocol) ? address.href : undefined;
  } catch {
    return undefined;
  }
}

/** Shows what is known of a node, and leads on to its neighbours. */
function choose(k) {
  chosen = k;
  draw();
  if (k < 0) return at("card").replaceChildren(element("p", "Choose a node on the map or in the list.", { class: "quiet" }));
  const node = network.nodes[k];
  const parts = [element("h2", node.title ?? node.label)];
  if (node.authors) parts.push(element("p", node.authors));
  const facts = element("dl");
  for (const [name, value] of [
    ["Year", node.year], ["Venue", node.venue], ["Status", node.status && node.status + (node.seed ? ", seed" : "")],
    ["Keywords", node.keywords], ["Links", number(node.degree)], ["Strength", number(node.strength)],
    ["Community", node.community], ["Cited here by", node.local], ["Citations", node.cited], ["Id", node.id],
  ]) if (value !== undefined && value !== "") facts.append(element("dt", name), element("dd", value));
  parts.push(facts);
  const href = node.url && safeAddress(node.url);
  if (href) {
    const line = element("p");
    line.append(element("a", node.url, { href, target: "_blank", rel: "noopener noreferrer" }));
    parts.push(line);
  }
  if (node.abstract) parts.push(element("h3", "Abstract"), element("p", node.abstract));
  const near = (network.neighbours[k] ?? []).slice(0, 30);
  parts.push(element("h3", "Strongest neighbours"));
  const items = element("ol", undefined, { class: "neighbours" });
  items.append(...near.map(([other, weight]) => {
    const item = element("li");
    item.append(opener(other), element("span", " " + number(weight), { class: "quiet" }));
    return item;
  }));
  parts.push(items);
  at("card").replaceChildren(...parts);
  at("card").parentElement.scrollTop = 0;
}

function open(name) {
  network = networks.find((one) => one.name === name) ?? networks[0];
  prepare(network);
  const left = [["nodes", network.left.nodes], ["edges", network.left.edges]].filter(([, count]) => count > 0);
  at("about").textContent = network.about
    + (network.hasRings ? " Seeds are ringed." : "")
    + (left.length > 0 ? " Left out of this page, the least linked: " + left.map(([what, count]) => number(count) + " " + what).join(" and ") + "." : "");
  at("map").setAttribute("aria-label", "Map of " + network.name + ": " + number(network.nodes.length) + " nodes. The list holds the same. Arrow keys move it, plus and minus zoom, 0 shows the whole.");
  at("colour").replaceChildren(...Object.entries(colourings).filter(([, one]) => one.isFor(network.nodes)).map(([key, one]) => element("option", one.name, { value: key })));
  at("search").value = "";
  shown = step;
  choose(-1);
  paint();
  whole();
}

at("network").append(...networks.map(({ name }) => element("option", name.replaceAll("_", " "), { value: name })));
at("network-label").hidden = networks.length < 2;
at("controls").addEventListener("submit", (event) => event.preventDefault());
at("network").addEventListener("change", ({ target }) => open(target.value));
at("search").addEventListener("input", () => {
  shown = step;
  search();
});
at("search").addEventListener("keydown", ({ key }) => {
  if (key === "Enter" && matches !== undefined && matches.size > 0) {
    const first = network.byDegree.find((k) => matches.has(k));
    choose(first);
    centre(first);
  }
});
at("colour").addEventListener("change", paint);
at("view").addEventListener("click", () => {
  const isList = at("list").hidden;
  at("view").setAttribute("aria-pressed", String(isList));
  for (const id of ["map", "zoom", "legend"]) at(id).hidden = isList;
  at("list").hidden = !isList;
  list();
  if (!isList) resize();
});
const dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
function theme() {
  at("theme").textContent = isDark() ? "Light" : "Dark";
  draw();
}
at("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  theme();
});
dark.addEventListener("change", theme);
open(networks[0].name);
theme();
})();
`;
