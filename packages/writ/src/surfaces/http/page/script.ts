/** The page's script; written without backquotes, since it stands between two. */
export const script = /* js */ `// A client of the HTTP API and nothing else: what it shows, any token could read.

const at = (id) => document.getElementById(id);
let csrf;

async function call(path, options = {}) {
  const headers = { ...options.headers, ...(csrf && { "X-Writ-CSRF": csrf }) };
  const response = await fetch(path, { ...options, headers });
  return response.status === 204 ? undefined : response.json();
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function say(text) {
  at("state").textContent = text;
}

function show(id) {
  at(id).closest("section").hidden = false;
}

function wordsOf(value) {
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(wordsOf).join("; ");
  return Object.entries(value)
    .map(([name, inner]) => name.replaceAll("_", " ") + ": " + wordsOf(inner))
    .join(", ");
}

function showStatus(envelope) {
  const facts = envelope.ok ? envelope.data : { error: envelope.error.message, next: envelope.error.remediation };
  for (const [name, value] of Object.entries(facts)) {
    at("status").append(element("dt", name.replaceAll("_", " ")), element("dd", wordsOf(value)));
  }
  show("status");
}

function showCapabilities(document) {
  for (const [path, { post }] of Object.entries(document.paths)) {
    const row = element("tr", "");
    const command = path.replace("/v1/", "").replaceAll("/", " ");
    row.append(element("td", command), element("td", post["x-writ"].effect), element("td", post.summary));
    at("capabilities").append(row);
  }
  at("filter").addEventListener("input", ({ target }) => {
    const words = target.value.toLowerCase();
    for (const row of at("capabilities").rows) row.hidden = !row.textContent.toLowerCase().includes(words);
  });
  show("capabilities");
}

async function start() {
  const session = await call("/session");
  if (!session.ok) return say(session.error.message + " Open the login link that the server printed when it started.");
  csrf = session.data.csrf;
  say("You are here as " + session.data.role + ".");
  const offered = await call("/v1/openapi.json");
  showCapabilities(offered);
  if (offered.paths["/v1/status"]?.get) showStatus(await call("/v1/status"));
  at("logout").hidden = csrf === undefined;
  at("logout").addEventListener("click", async () => {
    await call("/session", { method: "DELETE" });
    location.reload();
  });
}

start().catch((error) => say("The server did not answer: " + error.message));
`;
