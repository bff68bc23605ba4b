/** A page in Firefox by WebDriver BiDi, and steps that its visits have in common. */
import assert from "node:assert/strict";
import puppeteer from "puppeteer-core";

/** @typedef {import("puppeteer-core").Page} Page */

export const STEP_MS = 60_000;
const POLL_MS = 100;

const REPORT_VIOLATIONS = () => {
  document.addEventListener("securitypolicyviolation", (event) =>
    console.error(`policy: ${event.effectiveDirective} stopped ${event.blockedURI} ${event.sample}`),
  );
};

/** Headless Firefox without a network beyond this machine. @param {string | undefined} executablePath */
export const launch = (executablePath) =>
  puppeteer.launch({
    browser: "firefox",
    ...(executablePath === undefined ? {} : { executablePath }),
    headless: true,
    extraPrefsFirefox: { "network.proxy.type": 0, "network.dns.disabled": true },
  });

/**
 * A page with empty storage, and the console errors, exceptions and policy violations of it, as they occur.
 * @param {import("puppeteer-core").Browser} browser
 * @param {{ width: number, height: number }} size
 */
export async function openPage(browser, size) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  /** @type {string[]} */
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`thrown: ${error.message}`));
  await page.evaluateOnNewDocument(REPORT_VIOLATIONS);
  await page.setViewport(size);
  return { context, page, problems };
}

/** Print a step as a JSON line. @param {string} step @param {Record<string, unknown>} facts */
export function report(step, facts) {
  console.log(JSON.stringify({ step, ...facts }));
}

/** Visible element of a selector. @param {Page} page @param {string} selector */
export const found = (page, selector) => page.waitForSelector(selector, { visible: true, timeout: STEP_MS });

/**
 * Wait until `holds` is true in the page. The page's policy forbids puppeteer's own polling, which compiles a function there.
 * @param {Page} page
 * @param {(argument: string) => unknown} holds
 * @param {string} [argument]
 */
export async function until(page, holds, argument = "") {
  const end = Date.now() + STEP_MS;
  while (!(await page.evaluate(holds, argument))) {
    assert.ok(Date.now() < end, `not within ${STEP_MS} ms: ${holds} ${argument}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Click a button or link by its text, once it is shown. @param {Page} page @param {string} text */
export const click = (page, text) =>
  until(
    page,
    (wanted) => {
      const target = [...document.querySelectorAll("button, a")].find(
        (each) => each.checkVisibility() && each.textContent?.trim().startsWith(wanted),
      );
      if (target instanceof HTMLElement) target.click();
      return target !== undefined;
    },
    text,
  );

/** @param {Page} page @param {string} message */
export async function send(page, message) {
  const field = await found(page, "#chat-message");
  await field.click();
  await page.keyboard.type(message);
  await page.keyboard.press("Enter");
}
