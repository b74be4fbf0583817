/** The page's script; written without backquotes, since it stands between two. */
export const script = /* js */ `// A client of the HTTP API and nothing else: what it shows, any token could read.

const at = (id) => document.getElementById(id);
let csrf;

async function call(path, options = {}) {
  const headers = { ...options.headers, ...(csrf && { "X-Writ-CSRF": csrf }) };
  const response = await fetch(path, { ...options, headers });
  return response.status === 204 ? undefined : response.json();
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function say(text) {
  at("state").textContent = text;
}

/** Fills a part of the page and shows its section; a part with nothing in it is not shown. */
function fill(id, children) {
  at(id).replaceChildren(...children);
  at(id).closest("section").hidden = children.length === 0;
}

function words(name) {
  const text = name.replaceAll("_", " ").replace(" count", "");
  return text[0].toUpperCase() + text.slice(1);
}

function headline(text, tone) {
  at("headline").textContent = text;
  at("headline").dataset.tone = tone;
}

function facts(pairs) {
  fill("status", pairs.flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
  at("headline").closest("section").hidden = false;
}

function showStatus({ ok, data, error }) {
  if (!ok) {
    headline(error.message, "bad");
    return facts([["Why", error.cause], ["What to do", error.remediation]]);
  }
  const { summary = {}, stacks = [], repos = [], files_drift: drift = [], waiting = {} } = data;
  const [kept, changed] = [drift.filter(isKept), drift.filter((one) => !isKept(one))];
  const name = data.name ?? "The workspace";
  if (data.has_lock === false) headline(name + " has not been made yet.", "bad");
  else if (summary.in_sync === false && !onlyKept(data)) headline(name + " differs from what it declares.", "bad");
  else headline(name + " is as it declares" + (kept.length > 0 ? "; " + keptWords(kept.length) : "") + ".", "good");
  const { files_drift_count: _, ...counts } = summary;
  const counted = [...Object.entries(counts), ...Object.entries(waiting).map(([key, n]) => ["Waiting " + key, n])];
  facts([
    ...(data.workspace ? [["Folder", data.workspace.root]] : []),
    ...(stacks.length > 0 ? [["Stacks", stacks.map(stackWords).join("; ")]] : []),
    ...(repos.length > 0 ? [["Repositories", repos.map((one) => one.path).join(", ")]] : []),
    ...(kept.length > 0 ? [["Edited here", listed(kept.map((one) => one.path), 5)]] : []),
    ...(changed.length > 0 ? [["Files", listed(changed.map((one) => one.path + " (" + words(one.kind).toLowerCase() + ")"), 5)]] : []),
    ...counted.filter(([, n]) => typeof n === "number" && n > 0).map(([key, n]) => [words(key), String(n)]),
  ]);
}

/** A file that its user edited: a choice, and no fault. */
function isKept({ kind }) {
  return kind === "edited" || kind === "orphan_edited";
}

/** Whether such files are all that differs. */
function onlyKept({ summary, files_drift: drift = [] }) {
  const others = drift.filter((one) => !isKept(one) && one.kind !== "extra" && one.kind !== "linked");
  return others.length + (summary.stacks_out_of_sync ?? 0) + (summary.repos_dirty_or_drifted ?? 0) === 0;
}

function keptWords(count) {
  return count === 1 ? "1 file edited here, kept" : count + " files edited here, kept";
}

/** A stack with where it comes from: a folder of the workspace, or a repository and its branch. */
function stackWords({ label, repo = label, ref }) {
  if (repo.startsWith("path:")) return label + " (the folder " + repo.slice(5) + ")";
  const branch = ref ? ref.replace(/^refs\\/(heads|tags)\\//, "") : "";
  return label + (repo === label ? "" : " from " + repo) + (branch ? ", " + branch : "");
}

function listed(all, most) {
  return all.slice(0, most).join(", ") + (all.length > most ? " and " + (all.length - most) + " more" : "");
}

/** What the status asks for; where it asks for nothing, what is worth a look. */
function showNext(paths, next = []) {
  const worth = [
    ["/v1/explain", "writ explain AGENTS.md"],
    ["/v1/ledger/verify", "writ ledger verify"],
    ["/v1/mcp/install", "writ mcp install --client claude-code --dry-run"],
  ];
  const commands = next.length > 0 ? next : worth.filter(([path]) => paths[path]).map(([, command]) => command);
  fill("next", commands.map((command) => {
    const item = element("li", "");
    item.append(element("code", command));
    return item;
  }));
}

function eventOf({ at: when, actor, acts_for, capability, kind, outcome, code, subjects = [] }) {
  const item = element("li", (capability ?? kind).replaceAll(".", " "));
  const tone = outcome === "done" ? "good" : "bad";
  item.append(element("span", code ? outcome + ": " + code : outcome, { class: "outcome", "data-tone": tone }));
  const about = listed(subjects, 3);
  const time = new Date(when).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  const line = element("span", "", { class: "quiet" });
  line.append(element("time", time, { datetime: when }));
  line.append(" · " + (acts_for ? actor + " for " + acts_for : actor) + (about ? " · " + about : ""));
  item.append(line);
  return item;
}

function showLedger({ ok, data, error }) {
  if (ok) return fill("ledger", data.events.map(eventOf));
  fill("ledger", [element("li", error.message + " " + error.remediation)]);
}

function showCapabilities(paths) {
  const rows = Object.entries(paths).filter(([, { post }]) => post?.["x-writ"]);
  fill("capabilities", rows.map(([path, { post }]) => {
    const row = element("tr", "");
    const command = path.replace("/v1/", "").replaceAll("/", " ");
    row.append(element("td", command), element("td", post["x-writ"].effect), element("td", post.summary));
    return row;
  }));
  at("filter").addEventListener("input", filter);
  filter();
}

function filter() {
  const wanted = at("filter").value.trim().toLowerCase();
  const rows = [...at("capabilities").rows];
  for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  at("count").textContent = rows.filter((row) => !row.hidden).length + " of " + rows.length;
}

async function refresh(paths) {
  const [status, ledger] = await Promise.all([
    paths["/v1/status"]?.get && call("/v1/status"),
    paths["/v1/ledger/list"]?.get && call("/v1/ledger/list?limit=8"),
  ]);
  if (status) showStatus(status);
  showNext(paths, status?.data?.next);
  if (ledger) showLedger(ledger);
}

async function start() {
  const session = await call("/session");
  if (!session.ok) return say("You are not logged in. Open the link that the server printed when it started. For a new one, stop writ up and start it again.");
  csrf = session.data.csrf;
  say("Logged in as " + session.data.role);
  const { paths } = await call("/v1/openapi.json");
  showCapabilities(paths);
  await refresh(paths);
  at("refresh").hidden = false;
  at("refresh").addEventListener("click", () => attempt(() => refresh(paths)));
  at("logout").hidden = csrf === undefined;
  at("logout").addEventListener("click", () => attempt(async () => {
    await call("/session", { method: "DELETE" });
    location.reload();
  }));
}

function attempt(work) {
  work().catch((error) => say("The server did not answer: " + error.message));
}

attempt(start);
`;
