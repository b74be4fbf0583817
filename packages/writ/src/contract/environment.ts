/** One environment variable that Writ reads. */
export interface EnvironmentVariable {
  name: `WRIT_${string}`;
  /** What it is for, in a sentence. */
  purpose: string;
  /** What holds when it is unset; absent where nothing does. */
  default?: string;
  /** A switch: off when unset, empty, 0, false, no or off (any case), else on. */
  switch?: true;
  /** Its value is never shown. */
  secret?: true;
}

/** Every variable that begins WRIT_ and that Writ reads; no other has an effect. */
export const environmentVariables: readonly EnvironmentVariable[] = [
  { name: "WRIT_WORKSPACE", purpose: "The workspace to work in, as --workspace." },
  { name: "WRIT_JSON", purpose: "Print one JSON document, as --json.", switch: true },
  { name: "WRIT_CACHE_DIR", purpose: "The cache folder.", default: "the platform's cache folder + /writ" },
  {
    name: "WRIT_DATABASE_URL",
    purpose: "A PostgreSQL database in place of .writ/writ.db.",
    default: ".writ/writ.db",
    secret: true,
  },
  { name: "WRIT_WORKSPACE_ID", purpose: "Which workspace of that database, where there is no folder." },
  { name: "WRIT_PORT", purpose: "The port to listen on, as --port.", default: "4747" },
  { name: "WRIT_HOST", purpose: "The address to listen on, as --host.", default: "127.0.0.1" },
  { name: "WRIT_OFFLINE", purpose: "Nothing leaves this machine, as --offline.", switch: true },
  {
    name: "WRIT_REGISTRY",
    purpose: "The stack registry, when neither workspace.yml nor the lock names one.",
    default: "getGanemo/agent-stack-core-oss",
  },
  { name: "WRIT_GIT_BASE", purpose: "What org/repo is looked up under.", default: "https://github.com" },
  {
    name: "WRIT_GIT_PROTOCOLS",
    purpose: "The protocols git may use, separated by commas; it can only narrow.",
    default: "https,ssh,file",
  },
  {
    name: "WRIT_GIT_TIMEOUT",
    purpose: "Seconds a network call of git may take, as --timeout.",
    default: "300",
  },
  { name: "WRIT_JOBS", purpose: "How many sources are fetched at once, as --jobs.", default: "8" },
  { name: "WRIT_TOKEN", purpose: "The token to act with, as --token.", secret: true },
  { name: "WRIT_ACTOR", purpose: "Lowers who acts to a client: client:<name>." },
  {
    name: "WRIT_REASONING_MODE",
    purpose: "How much outside review is allowed: offline, ci, fast, standard or strict.",
    default: "standard",
  },
  { name: "WRIT_ADVISORS_DISABLE", purpose: "Advisors that are never asked, separated by commas, or all." },
  {
    name: "WRIT_REASONING_COOLDOWN_SECONDS",
    purpose: "Seconds that an advisor is left out after a failure; 0 is none.",
  },
  {
    name: "WRIT_CLIENT",
    purpose: "The client whose model is asking; decides which advisors are independent.",
  },
  {
    name: "WRIT_ADVISOR_ENV",
    purpose: "Variables, separated by commas, that a workspace's advisor may hand to its program.",
  },
  { name: "WRIT_COMPAT_BASE_URL", purpose: "The address of the advisor openai-compatible." },
  { name: "WRIT_COMPAT_MODEL", purpose: "Its model; default the first that it lists." },
  { name: "WRIT_COMPAT_API_KEY", purpose: "Its key; any value for a server without keys.", secret: true },
  { name: "WRIT_LEDGER_KEY", purpose: "The key that signs the ledger's checkpoints.", secret: true },
  { name: "WRIT_OPENALEX_EMAIL", purpose: "An address sent to OpenAlex and Crossref, as --email." },
  {
    name: "WRIT_OPENALEX_URL",
    purpose: "The base address of OpenAlex.",
    default: "https://api.openalex.org",
  },
  {
    name: "WRIT_CROSSREF_URL",
    purpose: "The base address of Crossref.",
    default: "https://api.crossref.org",
  },
  {
    name: "WRIT_SEMANTICSCHOLAR_URL",
    purpose: "The base address of Semantic Scholar.",
    default: "https://api.semanticscholar.org",
  },
  {
    name: "WRIT_RESEARCH_BACKOFF_MS",
    purpose: "Milliseconds before a source is asked a second time; twice that before the third.",
    default: "1000",
  },
  {
    name: "WRIT_RESEARCH_TIMEOUT_MS",
    purpose: "Milliseconds without a byte after which a source is late.",
    default: "30000",
  },
  {
    name: "WRIT_RESEARCH_MEMORY",
    purpose:
      "How much memory the research library may take. Unless it is named, a small library is filled with less.",
    default: "1GiB",
  },
];
