import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { available } from "../available.ts";
import { prints } from "../fakes/advisor-programs.ts";
import {
  advisorsYml,
  alphaEntry,
  bedNone,
  type BedThree,
  bedThree,
  betaEntry,
  concluding,
  gammaEntry,
  says,
} from "../reasoning/bed.ts";
import { complete, launch, loggedIn, type Opened, type Served, servedOn } from "../support/browser.ts";
import { contrasts } from "../support/contrasts.ts";

const hostile = "<img src=x onerror=alert(1)> **bold** & `code`";
const canary = "canary-7f3b2a91";

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

describe.runIf(available("chromium", "the page in a browser"))("the page of reasoning", () => {
  let browser: Browser;
  let bed: BedThree;
  let server: Served;
  /** One page for the tests that only look. */
  let seen: Opened;

  beforeAll(async () => {
    browser = await launch();
    bed = await bedThree({ env: { BETA_KEY: canary } });
    await worked(bed);
    server = await servedOn(bed.app);
    seen = await opened();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
    await bed[Symbol.asyncDispose]();
  });

  /** The page, with all it reads. */
  async function opened(options?: Parameters<typeof loggedIn>[2], on: Served = server) {
    const it = await loggedIn(browser, on, options);
    await it.page.getByRole("link", { name: "Reasoning" }).click();
    await card(it.page, "Reasoning").waitFor();
    await complete(it.page);
    return it;
  }

  test("RS-119: it shows who can be asked, what happened, what was concluded on what grounds, and what is owed", async () => {
    const { page, said } = seen;
    expect(await page.title()).toBe("Reasoning · Writ");
    const reasoning = await card(page, "Reasoning").innerText();
    expect(reasoning).toContain("Yes, with or without advisors");
    expect(reasoning).toContain("strict (profile deep-work)");
    expect(reasoning).toMatch(/Code review\n+alpha/);
    expect(reasoning).toMatch(/Architecture review\n+local review/);
    const advisors = card(page, "Advisors").getByRole("listitem");
    expect(await advisors.count()).toBe(3);
    expect(await advisors.first().innerText()).toMatch(/^alpha\s*available\n.*cli[^]*code review/);
    expect(await advisors.nth(1).innerText()).toMatch(/^beta\s*rate limited[^]*Held \(rate\) until /);
    const task = await card(page, "Task").innerText();
    expect(task).toMatch(/Answers\n+2/);
    expect(task).toMatch(/Failed exchanges\n+1/);
    const conclusion = card(page, "Conclusions").getByRole("listitem");
    expect(await conclusion.innerText()).toMatch(/^keep them\s*stands/);
    expect(await conclusion.innerText()).toContain(
      "Basis: reviewed by alpha, beta: 2 advisors, 2 independent sources",
    );
    const open = await card(page, "Unresolved and debt").innerText();
    expect(open).toMatch(/when to expire\s*planned/);
    expect(open).toContain("Review debt: alpha was selected and not asked");
    expect(open).toMatch(/beta\s*failed exchange: rate limited/);
    expect(await card(page, "Findings").innerText()).toContain("No check failed.");
    expect(said).toEqual([]);
  });

  test("RS-81, RS-119: what an advisor said is a quotation that says so, and never markup", async () => {
    const { page, said } = seen;
    const quotes = card(page, "Task").locator("figure");
    const own = quotes.filter({ hasText: "advisor alpha said (data, not an instruction):" });
    expect(await own.first().locator("blockquote").innerText()).toBe(hostile);
    expect(await page.locator("main img").count()).toBe(0);
    expect(said).toEqual([]);
  });

  test("RS-118, RS-119: the report is the one that context and handover carry (RC-53)", async () => {
    const { report } = await bed.ok<{ report: string }>("reasoning.status");
    const { context, handover } = await bed.ok<{ context: string; handover: string }>("task.status", {
      handover: true,
    });
    expect(report).toContain("Decided: keep them");
    expect(await seen.page.getByLabel("Report").evaluate((shown) => shown.textContent)).toBe(report);
    expect(context).toContain(report);
    expect(handover).toContain(report);
  });

  test("RS-119: no value of a credential reaches the page (RC-17)", async () => {
    await using it = await opened();
    const { page } = it;
    const sent: Promise<string>[] = [];
    page.on("response", (response) => sent.push(response.text()));
    await page.reload();
    await complete(page);
    const bodies = await Promise.all(sent);
    expect(bodies.filter((body) => body.includes('"advisors"')).length).toBeGreaterThan(0);
    expect([await page.content(), ...bodies].filter((text) => text.includes(canary))).toEqual([]);
  });

  test("RS-119: one more entry in advisors.yml is one more on the page, and is gone with it (RC-70)", async () => {
    await using it = await opened();
    const { page } = it;
    const advisors = card(page, "Advisors");
    const three = [alphaEntry, betaEntry, gammaEntry];
    bed.write("advisors.yml", advisorsYml([...three, { ...alphaEntry, id: "delta", title: "Delta" }]));
    await page.getByRole("button", { name: "Refresh" }).click();
    await advisors.getByText("delta", { exact: true }).waitFor();
    expect(await card(page, "Reasoning").innerText()).toMatch(/Code review\n+alpha, delta/);
    bed.write("advisors.yml", advisorsYml(three));
    await page.getByRole("button", { name: "Refresh" }).click();
    await advisors.getByText("delta", { exact: true }).waitFor({ state: "detached" });
  });

  test("RS-119: a broken table of advisors is told in its card, and the records are shown all the same (RC-71)", async () => {
    await using it = await opened();
    const { page } = it;
    bed.write("advisors.yml", "version: [");
    await page.getByRole("button", { name: "Refresh" }).click();
    await card(page, "Advisors").getByText("What to do").waitFor();
    expect(await card(page, "Advisors").innerText()).toContain("advisors.yml");
    expect(await card(page, "Conclusions").innerText()).toContain("keep them");
    expect(await card(page, "Findings").locator(".headline").getAttribute("data-tone")).toBe("bad");
    bed.write("advisors.yml", advisorsYml([alphaEntry, betaEntry, gammaEntry]));
  });

  test("RS-119: a conclusion whose evidence has changed is called stale", async () => {
    await using it = await opened();
    const { page } = it;
    bed.write("seen.txt", "changed\n");
    await page.getByRole("button", { name: "Refresh" }).click();
    await card(page, "Conclusions").getByText("Stale: evidence changed").waitFor();
    expect(await card(page, "Conclusions").getByText("stands", { exact: true }).count()).toBe(0);
    bed.write("seen.txt", "seen\n");
    await page.getByRole("button", { name: "Refresh" }).click();
    await card(page, "Conclusions").getByText("stands", { exact: true }).waitFor();
  });

  test("RS-119: it is worked by keyboard alone, another task included", async () => {
    await using it = await opened();
    const { page, said } = it;
    await page.reload();
    await complete(page);
    const stops: string[] = [];
    for (let at = 0; at < 6; at += 1) {
      await page.keyboard.press("Tab");
      const focused = page.locator(":focus");
      const name = (await focused.getAttribute("id")) ?? (await focused.getAttribute("href"));
      stops.push(name ?? (await focused.getAttribute("aria-label")) ?? "");
      expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
    }
    expect(stops).toEqual(["/", "/reasoning", "refresh", "logout", "task", "Report"]);
    await page.locator("#task").focus();
    await page.keyboard.type("what belongs");
    await card(page, "Task").getByText("Nothing was recorded here yet.").waitFor();
    await card(page, "Conclusions").getByText("Nothing was concluded here yet.").waitFor();
    expect(said).toEqual([]);
  });

  test.each(["light", "dark"] as const)(
    "RS-119: in a small window in %s every text stands out from its ground, and none is cut off sideways",
    async (colorScheme) => {
      await using it = await opened({ colorScheme, viewport: { width: 320, height: 640 } });
      const found = await it.page.evaluate<{ dark: boolean; texts: { text: string; ratio: number }[] }>(
        contrasts,
      );
      expect(found.dark).toBe(colorScheme === "dark");
      expect(found.texts.length).toBeGreaterThan(60);
      expect(found.texts.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
      expect(await it.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
    },
  );

  test("RS-119: with no advisor, no task and no record it says that this is normal, and what to run", async () => {
    await using empty = bedNone();
    await using there = await servedOn(empty.app);
    await using it = await opened({}, there);
    const { page, said } = it;
    expect(await card(page, "Advisors").innerText()).toContain("That is a normal state");
    expect(await card(page, "Task").innerText()).toMatch(/No task is open[^]*writ task start my-task/);
    expect(await card(page, "Task").innerText()).toContain("writ schema reasoning-record");
    expect(await card(page, "Unresolved and debt").innerText()).toContain("Nothing is unresolved");
    expect(await card(page, "Findings").innerText()).toContain("No check failed.");
    expect(said).toEqual([]);
  });

  test("RN-12: at an address that is no page the cockpit says so, and leads back", async () => {
    await using it = await loggedIn(browser, server);
    const { page } = it;
    await page.goto(`${server.serving.url}/nowhere`);
    await page.getByRole("heading", { name: "There is no page here." }).waitFor();
    await page.getByRole("link", { name: "To the workspace" }).click();
    await complete(page);
    expect(page.url()).toBe(`${server.serving.url}/`);
  });
});

/** A task with a reviewed conclusion, an advisor who is owed a question, and an exchange that failed. */
async function worked(bed: BedThree): Promise<void> {
  interface Consulted {
    results: { consultation?: string }[];
  }
  await bed.ok("task.start", { id: "sessions", profile: "deep-work" });
  bed.alpha.does(prints(says("supports", hostile)));
  const sessions = await bed.assess("where sessions live", "high");
  const { results } = await bed.ok<Consulted>("reasoning.consult", { assessment: sessions });
  const consultations = results.map(({ consultation }) => consultation);
  await bed.record(concluding(sessions, { decision: "keep them", consultations }));
  await bed.plan(await bed.assess("when to expire", "material"));
  const refused = await bed.assess("who may read", "material", { capabilities: ["security_review"] });
  bed.beta.says({ reply: { status: 429, body: {}, headers: { "Retry-After": "300" } } });
  await bed.ok<Consulted>("reasoning.consult", { assessment: refused });
}
