/**
 * Visits the page in Firefox by WebDriver BiDi: signs in, opens each view, chats with a streamed answer, stops one, opens a
 * trace and signs out, at both widths. Prints the steps as JSON lines; exits with 1 after a failed step, a console error, an
 * exception, a policy violation or a document wider than the window.
 *
 *     node visit.mjs FIREFOX URL TOKEN FOLDER     screenshots are written to FOLDER
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import puppeteer from "puppeteer-core";

const [, , executablePath, url, token, folder] = process.argv;
const STEP_MS = 60_000;
const POLL_MS = 100;
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
const QUESTION = "What is 15% of 45?";
const STOPPED = "[demo:delay=20] What is 2+2?";

const REPORT_VIOLATIONS = () => {
  document.addEventListener("securitypolicyviolation", (event) =>
    console.error(`policy: ${event.effectiveDirective} stopped ${event.blockedURI} ${event.sample}`),
  );
};

/** @param {string} step @param {number} width */
function report(step, width) {
  console.log(JSON.stringify({ step, width }));
}

/** Button, link or field by its accessible name. @param {import("puppeteer-core").Page} page @param {string} selector */
const found = (page, selector) => page.waitForSelector(selector, { visible: true, timeout: STEP_MS });

/**
 * Wait until `holds` is true in the page. The page's policy forbids puppeteer's own polling, which compiles a function there.
 * @param {import("puppeteer-core").Page} page
 * @param {(argument: string) => unknown} holds
 * @param {string} [argument]
 */
async function until(page, holds, argument = "") {
  const end = Date.now() + STEP_MS;
  while (!(await page.evaluate(holds, argument))) {
    assert.ok(Date.now() < end, `not within ${STEP_MS} ms: ${holds} ${argument}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Click a button or link by its text, once it is shown. @param {import("puppeteer-core").Page} page @param {string} text */
const click = (page, text) =>
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

/** @param {import("puppeteer-core").Page} page @param {string} message */
async function send(page, message) {
  const field = await found(page, "#chat-message");
  await field.click();
  await page.keyboard.type(message);
  await page.keyboard.press("Enter");
}

/** @param {import("puppeteer-core").Browser} browser @param {{ width: number, height: number }} size */
async function visit(browser, size) {
  const { width } = size;
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  /** @type {string[]} */
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`thrown: ${error.message}`));
  await page.evaluateOnNewDocument(REPORT_VIOLATIONS);
  await page.setViewport(size);

  await page.goto(url, { timeout: STEP_MS });
  const field = await found(page, "dialog[open] input[name=token]");
  await field.type(token);
  await page.keyboard.press("Enter");
  await found(page, ".account-button");
  report("signed in", width);

  const links = await page.$$eval("nav[aria-label=Views] a", (all) => all.map(({ href }) => href));
  for (const href of links) {
    await page.goto(href, { timeout: STEP_MS });
    await until(page, () => !document.querySelector(".skeleton"));
    const name = new URL(href).pathname.split("/").at(-1) ?? "";
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(excess, 0, `${name} is ${excess} px wider than a window of ${width} px`);
    await page.screenshot({ path: /** @type {`${string}.png`} */ (join(folder ?? ".", `firefox-${name}-${width}.png`)) });
    report(`view ${name}`, width);
  }

  await page.goto(new URL("chat", `${url}/`).href, { timeout: STEP_MS });
  await send(page, QUESTION);
  await until(page, (wanted) => document.body.innerText.includes(wanted), "6.75");
  await found(page, ".chat-turn .outcome[data-tone=good]");
  report("streamed answer", width);

  await send(page, STOPPED);
  await click(page, "Stop");
  await until(page, () => /cancelled|stopped/i.test(document.querySelector("main")?.innerText ?? ""));
  report("stopped answer", width);

  await click(page, "Open trace");
  await found(page, ".trace-page .wf-row");
  await page.screenshot({ path: /** @type {`${string}.png`} */ (join(folder ?? ".", `firefox-trace-${width}.png`)) });
  report("trace", width);

  await (await found(page, ".account-button"))?.click();
  await click(page, "Sign out");
  await found(page, "dialog[open] input[name=token]");
  report("signed out", width);
  await context.close();
  assert.deepEqual(problems, [], `unexpected at ${width} px`);
}

const browser = await puppeteer.launch({
  browser: "firefox",
  ...(executablePath === undefined ? {} : { executablePath }),
  headless: true,
  extraPrefsFirefox: { "network.proxy.type": 0, "network.dns.disabled": true },
});
try {
  for (const size of SIZES) await visit(browser, size);
} finally {
  await browser.close();
}
