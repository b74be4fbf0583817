import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { available } from "../available.ts";
import { launch, loggedIn, openPage, served } from "../support/browser.ts";
import { contrasts } from "../support/contrasts.ts";

describe.runIf(available("chromium", "the page in a browser"))("the page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  test("RN-12: a login link opens the page, once; a second use is refused with the way to a new one", async () => {
    await using server = await served();
    const link = server.serving.loginUrl(server.token);
    await using first = await openPage(browser);
    await first.page.goto(link);
    await first.page.getByText("Logged in as admin").waitFor();
    // The code is not left behind in the address, nor can a script read what the login left.
    expect(first.page.url()).toBe(`${server.serving.url}/`);
    expect(await first.page.evaluate("document.cookie")).toBe("");
    expect(first.said).toEqual([]);
    await using second = await openPage(browser);
    const refused = await second.page.goto(link);
    expect(refused?.status()).toBe(401);
    await second.page
      .getByRole("heading", { name: "This login link has been used, or is too old." })
      .waitFor();
    expect(await second.page.getByText("writ up").isVisible()).toBe(true);
    await second.page.getByRole("link").click();
    await second.page.getByText("You are not logged in.").waitFor();
  });

  test("RN-12: the page shows how the workspace stands, what to try, what was done and what there is", async () => {
    await using server = await served();
    await using opened = await loggedIn(browser, server);
    const { page, said } = opened;
    const workspace = page.getByRole("region", { name: "Workspace" });
    expect(await workspace.innerText()).toContain("demo is as it declares.");
    expect(await workspace.innerText()).toContain(server.app.root);
    expect(await page.getByRole("region", { name: "Try next" }).getByText("writ ledger verify").count()).toBe(
      1,
    );
    const done = page.getByRole("region", { name: "What was done here" }).getByRole("listitem");
    expect(await done.first().innerText()).toMatch(/^token create\s*done\n.*user:ana · client:page/);
    const rows = page.getByRole("table").getByRole("row");
    const all = await rows.count();
    expect(all).toBeGreaterThan(20);
    const wanted = await rows.filter({ hasText: /ledger/i }).count();
    await page.getByRole("searchbox", { name: "Filter" }).fill("LEDGER ");
    await page.getByText(`${wanted} of ${all - 1}`).waitFor();
    expect(await rows.count()).toBe(wanted + 1);
    expect(said).toEqual([]);
  });

  test("RN-12: the page tells of a change that was made while it was open", async () => {
    await using server = await served();
    await using opened = await loggedIn(browser, server);
    const { page, said } = opened;
    await server.app.call("token.create", { subject: "client:later", role: "member" });
    expect(await page.getByText("client:later").count()).toBe(0);
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("client:later").waitFor();
    expect(said).toEqual([]);
  });

  test.each(["light", "dark"] as const)(
    "RN-12: in %s every text stands out from its ground",
    async (colorScheme) => {
      await using server = await served();
      await using opened = await loggedIn(browser, server, { colorScheme });
      const { page } = opened;
      const found = await page.evaluate<{ dark: boolean; texts: { text: string; ratio: number }[] }>(
        contrasts,
      );
      expect(found.dark).toBe(colorScheme === "dark");
      expect(found.texts.length).toBeGreaterThan(40);
      // What WCAG asks of text of this size.
      expect(found.texts.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
    },
  );

  test("RN-12: the page is worked by keyboard alone, and shows where the keyboard is", async () => {
    await using server = await served();
    await using opened = await loggedIn(browser, server);
    const { page } = opened;
    const stops: string[] = [];
    for (let i = 0; i < 5; i++) {
      await page.keyboard.press("Tab");
      const focused = page.locator(":focus");
      stops.push((await focused.getAttribute("id")) ?? (await focused.getAttribute("href")) ?? "");
      expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
    }
    expect(stops).toEqual(["/", "/reasoning", "refresh", "logout", "filter"]);
    await page.keyboard.type("doctor fix");
    await page.getByText(/^1 of /).waitFor();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByText("You are not logged in.").waitFor();
  });

  test("RN-12: in a small window nothing is cut off sideways", async () => {
    await using server = await served();
    await using opened = await loggedIn(browser, server, { viewport: { width: 320, height: 480 } });
    const { page } = opened;
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
    expect(await page.getByRole("button", { name: "Log out" }).isVisible()).toBe(true);
  });

  test.each([500, 320])("RN-12: at %i px no word of a command is broken", async (width) => {
    await using server = await served();
    await using opened = await loggedIn(browser, server, { viewport: { width, height: 600 } });
    const { page } = opened;
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    const heights = await page.evaluate<number[]>(
      "[...document.querySelectorAll('#capabilities td:first-child')].map((cell) => cell.getClientRects().length)",
    );
    expect(heights.length).toBeGreaterThan(20);
    // One box each: the command stands on one line, and its text below it.
    expect(heights.every((boxes) => boxes === 1)).toBe(true);
    const [command, told] = await page.evaluate<number[]>(
      "[...document.querySelector('#capabilities tr').cells].map((cell) => cell.getBoundingClientRect().top).filter((_, at) => at !== 1)",
    );
    expect(told).toBeGreaterThan(command ?? 0);
  });

  test("RN-12: a stack says where it comes from, and an edit that is kept is no alarm", async () => {
    await using server = await served();
    const { root, call } = server.app;
    mkdirSync(join(root, "mine/rules"), { recursive: true });
    writeFileSync(join(root, "mine/awac.yml"), "product: mine\n");
    writeFileSync(join(root, "mine/rules/r1.md"), "R1\n");
    writeFileSync(join(root, "workspace.yml"), "name: demo\nschema: writ/1\nstacks: [{path: mine}]\n");
    await call("workspace.bootstrap", { offline: true });
    writeFileSync(join(root, ".agents/rules/r1.md"), "MINE\n");
    await using opened = await loggedIn(browser, server);
    const { page } = opened;
    const headline = page.locator("#headline");
    expect(await headline.innerText()).toContain("1 file edited here, kept");
    expect(await headline.getAttribute("data-tone")).toBe("good");
    expect(await page.locator("#status").innerText()).toContain("mine (the folder mine)");
    rmSync(join(root, ".agents/rules/r1.md"));
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("demo differs from what it declares.").waitFor();
    expect(await headline.getAttribute("data-tone")).toBe("bad");
  });

  test("RN-12: logging out ends the session for every page of it", async () => {
    await using server = await served();
    await using opened = await loggedIn(browser, server);
    const { page, said } = opened;
    const other = await page.context().newPage();
    await other.goto(server.serving.url);
    await other.getByText("Logged in as admin").waitFor();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByText("You are not logged in.").waitFor();
    expect(await page.getByRole("region").count()).toBe(0);
    expect(await statusOf(other, "/v1/status")).toBe(401);
    // The browser itself notes the refused look at the session; nothing else is said.
    expect(said).toEqual([expect.stringMatching(/^error: Failed to load resource.*401/)]);
  });

  test("RN-12: an inline script does not run", async () => {
    await using server = await served();
    await using opened = await loggedIn(browser, server);
    const { page } = opened;
    const violated = page.evaluate<string>(
      "new Promise((resolve) => addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective)))",
    );
    await page.evaluate(
      "document.body.append(Object.assign(document.createElement('script'), { textContent: 'globalThis.ran = true' }))",
    );
    expect(await violated).toBe("script-src-elem");
    await page.evaluate(
      "document.body.insertAdjacentHTML('beforeend', '<img src=/nothing onerror=\"ran = true\">')",
    );
    await page.waitForFunction("[...document.images].every((image) => image.complete)");
    expect(await page.evaluate("typeof ran")).toBe("undefined");
  });

  test("RN-12: a page of another origin changes nothing, reads nothing and frames nothing", async () => {
    await using server = await served();
    await using opened = await loggedIn(browser, server);
    const { page } = opened;
    const before = await server.app.call("token.list");
    expect(before.data.tokens).toHaveLength(1);
    await using foreign = await foreignSite();
    // The same machine, so the browser sends the cookie along: what stops these is the server.
    const evil = await page.context().newPage();
    await evil.goto(foreign.url);
    const target = `${server.serving.url}/v1/token/create`;
    const body = JSON.stringify({ subject: "client:evil", role: "admin" });
    const attempt = (options: object) =>
      evil.evaluate<string>(
        `fetch(${JSON.stringify(target)}, ${JSON.stringify({ method: "POST", credentials: "include", body, ...options })})
          .then((response) => response.type, () => "refused")`,
      );
    expect(await attempt({ headers: { "Content-Type": "application/json" } })).toBe("refused");
    expect(await attempt({ headers: { "Content-Type": "application/json", "X-Writ-CSRF": "x" } })).toBe(
      "refused",
    );
    // This one is sent without asking first; what comes back is not for that page either.
    expect(await attempt({ mode: "no-cors", headers: { "Content-Type": "text/plain" } })).toBe("refused");
    expect(
      await evil.evaluate(
        `fetch(${JSON.stringify(`${server.serving.url}/session`)}, { credentials: "include" }).then((it) => it.text(), () => "refused")`,
      ),
    ).toBe("refused");
    await evil.setContent(
      `<form method="post" enctype="text/plain" action="${target}"><input name='{"subject":"client:evil","role":"admin","x":"' value='"}'></form>`,
    );
    const posted = evil.waitForResponse(target);
    await evil.evaluate("document.forms[0].submit()");
    expect((await posted).status()).toBe(403);
    const framing = await page.context().newPage();
    await framing.goto(foreign.url);
    await framing.setContent(`<iframe src="${server.serving.url}/"></iframe>`);
    expect(await framing.frameLocator("iframe").getByRole("heading", { name: "Writ" }).count()).toBe(0);
    const after = await server.app.call("token.list");
    expect(after.data.tokens).toEqual(before.data.tokens);
    // The page itself still may.
    expect(await statusOf(page, "/v1/status")).toBe(200);
  });
});

function statusOf(page: Page, path: string): Promise<number> {
  return page.evaluate<number>(`fetch(${JSON.stringify(path)}).then((response) => response.status)`);
}

/** A site of somebody else's, on another port of this machine. */
async function foreignSite(): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((_request, response) => {
    response.setHeader("Content-Type", "text/html").end("<!doctype html><title>Elsewhere</title>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
