import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { serve } from "../../packages/writ/src/app/serve.ts";
import type { Serving } from "../../packages/writ/src/contract/index.ts";
import { type TestApp, testApp } from "./test-app.ts";

const names = ["chromium", "chromium-browser", "google-chrome"];
const folders = (process.env.PATH ?? "").split(delimiter);

/** Starts the system's browser, which asks nobody for anything. */
export function launch(): Promise<Browser> {
  const executablePath = folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(existsSync);
  const quiet = [
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", ...quiet];
  return chromium.launch({ ...(executablePath && { executablePath }), args });
}

export interface Served extends AsyncDisposable {
  app: TestApp;
  serving: Serving;
  /** A token of an admin of the workspace. */
  token: string;
}

/** The real program in a workspace of its own, served on a free port. */
export async function served(): Promise<Served> {
  const app = testApp();
  await app.call("workspace.bootstrap", { offline: true });
  const it = await servedOn(app);
  return {
    ...it,
    async [Symbol.asyncDispose]() {
      await it[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    },
  };
}

/** A workspace that a test has made, and ends itself, served on a free port. */
export async function servedOn(app: TestApp): Promise<Served> {
  const made = await app.call("token.create", { subject: "client:page", role: "admin" });
  const stopping = new AbortController();
  const serving = await serve(app.app, {
    root: app.root,
    host: "127.0.0.1",
    port: 0,
    public: false,
    allowedHosts: [],
    trustedProxies: [],
    signal: stopping.signal,
  });
  return {
    app,
    serving,
    token: String(made.data.token),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await serving.closed;
    },
  };
}

export interface Opened extends AsyncDisposable {
  page: Page;
  /** What the console said, and what was thrown and not caught. */
  said: string[];
}

/** A fresh browser profile with one page. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const said: string[] = [];
  page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => said.push(`thrown: ${error.message}`));
  return { page, said, [Symbol.asyncDispose]: () => context.close() };
}

/** The page, logged in and complete. */
export async function loggedIn(
  browser: Browser,
  of: Served,
  options?: BrowserContextOptions,
): Promise<Opened> {
  const opened = await openPage(browser, options);
  await opened.page.goto(of.serving.loginUrl(of.token));
  await complete(opened.page);
  return opened;
}

/** Waits until a page shows all it reads. */
export function complete(page: Page): Promise<void> {
  return page.locator('main[aria-busy="false"]').waitFor();
}
