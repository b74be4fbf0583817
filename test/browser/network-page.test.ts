import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { exportLibrary } from "../../packages/writ/src/research/export/export.ts";
import { exportInput } from "../../packages/writ/src/research/export/shape.ts";
import { available } from "../available.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { workOf } from "../research/library/works.ts";
import { builtOn, chainedLibrary } from "../research/networks/libraries.ts";
import { launch } from "../support/browser.ts";
import { contrasts } from "../support/contrasts.ts";

const hostile = "</script><img src=x onerror=alert(1)>";

describe.runIf(available("chromium", "the page in a browser"))("a network's page", () => {
  let browser: Browser;
  let temp: ReturnType<typeof tempFolder>;
  let files: string[];

  beforeAll(async () => {
    temp = tempFolder();
    const { ctx, add } = await chainedLibrary(temp.path);
    await add([
      workOf({
        source: "bibtex",
        sourceKey: "hostile",
        title: hostile,
        year: 2020,
        url: "javascript:alert(1)",
        abstract: "<b>Bold</b> claims & others",
        otherReferences: [{ doi: "10.5555/r2", id: null, raw: null }],
      }),
    ]);
    await builtOn(ctx(), { networks: ["bibliographic_coupling", "author_collab"] });
    ({ files_written: files } = await exportLibrary(ctx(), z.object(exportInput).parse({ format: "html" })));
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    temp[Symbol.dispose]();
  });

  async function opened(options: Parameters<Browser["newContext"]>[0] = {}) {
    const context = await browser.newContext({ offline: true, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const said: string[] = [];
    const asked: string[] = [];
    page.on("console", (message) => said.push(message.text()));
    page.on("pageerror", (error) => said.push(String(error)));
    page.on("dialog", (dialog) => {
      said.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => asked.push(request.url()));
    const address = pathToFileURL(join(temp.path, files[0] ?? "")).href;
    await page.goto(address);
    return { page, said, asked, address, [Symbol.asyncDispose]: () => context.close() };
  }

  const list = (page: Page) => page.getByRole("region", { name: "List" });
  const card = (page: Page) => page.getByRole("complementary", { name: "Card" });

  test("RL-6, RL-152: it is one file that asks for nothing, runs no title, and shows it as text", async () => {
    expect(files).toEqual([".writ/research/exports/network.html"]);
    const text = readFileSync(join(temp.path, files[0] ?? ""), "utf8");
    expect(text).toContain("\\u003c/script>\\u003cimg");
    expect(text).not.toContain("<img");
    await using page = await opened();
    await page.page.getByRole("button", { name: "List" }).click();
    await list(page.page).getByRole("button", { name: hostile }).click();
    expect(await card(page.page).getByRole("heading", { level: 2 }).innerText()).toBe(hostile);
    expect(await card(page.page).innerText()).toContain("<b>Bold</b> claims & others");
    // An address that would run is no link.
    expect(await card(page.page).getByRole("link").count()).toBe(0);
    expect(await page.page.locator("img").count()).toBe(0);
    expect(page.asked).toEqual([page.address]);
    expect(page.said).toEqual([]);
  });

  test("RL-152: the policy lets its own script and style in, and no other", async () => {
    await using page = await opened();
    const violated = page.page.evaluate<string>(
      "new Promise((resolve) => addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective)))",
    );
    await page.page.evaluate(
      "document.body.append(Object.assign(document.createElement('script'), { textContent: 'globalThis.ran = true' }))",
    );
    expect(await violated).toBe("script-src-elem");
    expect(await page.page.evaluate("typeof ran")).toBe("undefined");
    expect(await page.page.evaluate("getComputedStyle(document.body).display")).toBe("grid");
  });

  test("RL-152: a node on the map opens its card, which leads to neighbours and to the paper's address", async () => {
    await using page = await opened();
    const { page: view } = page;
    await view.getByRole("searchbox").fill("alpha methods");
    await view.getByText("1 of 7 match.").waitFor();
    await view.getByRole("searchbox").press("Enter");
    await card(view).getByRole("heading", { name: "Alpha methods", level: 2 }).waitFor();
    expect(await card(view).innerText()).toContain("Ana Ruiz | Bo Chen");
    expect(await card(view).innerText()).toContain("Alpha Zeta");
    const link = card(view).getByRole("link");
    expect(await link.getAttribute("href")).toBe("https://doi.org/10.5555/a1");
    expect(await link.getAttribute("rel")).toContain("noopener");
    await card(view).getByRole("button", { name: "Alpha networks" }).click();
    await card(view).getByRole("heading", { name: "Alpha networks", level: 2 }).waitFor();
    // What was searched for stands in the middle of the map: a click there comes back to it.
    const map = view.getByRole("img", { name: /^Map of bibliographic_coupling: 7 nodes/ });
    const box = await map.boundingBox();
    if (!box) throw new Error("the map has no place");
    await view.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await card(view).getByRole("heading", { name: "Alpha methods", level: 2 }).waitFor();
    expect(page.said).toEqual([]);
  });

  test("RL-152: the map is drawn in the colours of its legend, and follows pan, zoom and colouring", async () => {
    await using page = await opened();
    const { page: view } = page;
    const drawn = () =>
      view.evaluate<string>(
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(document.querySelector('canvas').toDataURL()))))",
      );
    const first = await drawn();
    const map = view.locator("#map");
    await map.focus();
    for (const key of ["ArrowLeft", "+", "0"]) {
      const before = await drawn();
      await view.keyboard.press(key);
      expect(await drawn()).not.toBe(before);
    }
    expect(await drawn()).toBe(first);
    for (const word of ["year", "status"]) {
      const before = await drawn();
      await view.getByLabel("Colour by").selectOption(word);
      expect(await drawn()).not.toBe(before);
    }
    await view.getByRole("button", { name: "Candidate" }).click();
    await view.getByText("7 of 7 match.").waitFor();
    await map.hover();
    const before = await drawn();
    await view.mouse.wheel(0, -400);
    await expect.poll(drawn).not.toBe(before);
    const box = await map.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 40, (box?.y ?? 0) + 40];
    await view.mouse.move(x, y);
    await view.mouse.down();
    await view.mouse.move(x + 80, y + 30);
    await view.mouse.up();
    expect(page.said).toEqual([]);
  });

  test("RL-152: everything is reached by keyboard alone, and another network is one choice away", async () => {
    await using page = await opened();
    const { page: view } = page;
    const stops: string[] = [];
    for (let at = 0; at < 6; at += 1) {
      await view.keyboard.press("Tab");
      stops.push((await view.locator(":focus").getAttribute("id")) ?? "");
      expect(await view.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
    }
    expect(stops).toEqual(["network", "search", "colour", "view", "theme", "map"]);
    await view.getByLabel("Network").selectOption("author_collab");
    await view.getByRole("button", { name: "List" }).press("Enter");
    const rows = list(view).getByRole("row");
    expect(await rows.count()).toBe(4);
    await list(view).getByRole("button", { name: "Bo Chen" }).press("Enter");
    await card(view).getByRole("heading", { name: "Bo Chen", level: 2 }).waitFor();
    expect(await view.getByText("author_collab: 3 nodes and 3 edges. Scope all").isVisible()).toBe(true);
  });

  test.each(["light", "dark"] as const)(
    "RL-152: in %s every text stands out from its ground",
    async (colorScheme) => {
      await using page = await opened({ colorScheme });
      await page.page.getByRole("button", { name: "List" }).click();
      await list(page.page).getByRole("button", { name: "Alpha networks" }).click();
      const found = await page.page.evaluate<{ dark: boolean; texts: { text: string; ratio: number }[] }>(
        contrasts,
      );
      expect(found.dark).toBe(colorScheme === "dark");
      expect(found.texts.length).toBeGreaterThan(30);
      expect(found.texts.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
      await page.page.getByRole("button", { name: colorScheme === "dark" ? "Light" : "Dark" }).click();
      const other = await page.page.evaluate<{ dark: boolean }>(contrasts);
      expect(other.dark).toBe(colorScheme !== "dark");
    },
  );

  test("RL-152: in a small window nothing is cut off sideways", async () => {
    await using page = await opened({ viewport: { width: 320, height: 640 } });
    expect(await page.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
  });
});
