/**
 * Visits the page in Firefox by WebDriver BiDi: signs in, opens each view, chats with a streamed answer, stops one, opens a
 * trace and signs out, at both widths. Prints the steps as JSON lines; exits with 1 after a failed step, a console error, an
 * exception, a policy violation or a document wider than the window.
 *
 *     node visit.mjs FIREFOX URL TOKEN FOLDER     screenshots are written to FOLDER
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { click, found, launch, openPage, report, send, STEP_MS, until } from "./page.mjs";

const [, , executablePath, url, token, folder] = process.argv;
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
const QUESTION = "What is 15% of 45?";
const STOPPED = "[demo:delay=20] What is 2+2?";

/** @param {import("puppeteer-core").Browser} browser @param {{ width: number, height: number }} size */
async function visit(browser, size) {
  const { width } = size;
  const { context, page, problems } = await openPage(browser, size);

  await page.goto(url, { timeout: STEP_MS });
  const field = await found(page, "dialog[open] input[name=token]");
  await field.type(token);
  await page.keyboard.press("Enter");
  await found(page, ".account-button");
  report("signed in", { width });

  const links = await page.$$eval("nav[aria-label=Views] a", (all) => all.map(({ href }) => href));
  for (const href of links) {
    await page.goto(href, { timeout: STEP_MS });
    await until(page, () => !document.querySelector(".skeleton"));
    const name = new URL(href).pathname.split("/").at(-1) ?? "";
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(excess, 0, `${name} is ${excess} px wider than a window of ${width} px`);
    await page.screenshot({ path: /** @type {`${string}.png`} */ (join(folder ?? ".", `firefox-${name}-${width}.png`)) });
    report(`view ${name}`, { width });
  }

  await page.goto(new URL("chat", `${url}/`).href, { timeout: STEP_MS });
  await send(page, QUESTION);
  await until(page, (wanted) => document.body.innerText.includes(wanted), "6.75");
  await found(page, ".chat-turn .outcome[data-tone=good]");
  report("streamed answer", { width });

  await send(page, STOPPED);
  await click(page, "Stop");
  await until(page, () => /cancelled|stopped/i.test(document.querySelector("main")?.innerText ?? ""));
  report("stopped answer", { width });

  await click(page, "Open trace");
  await found(page, ".trace-page .wf-row");
  await page.screenshot({ path: /** @type {`${string}.png`} */ (join(folder ?? ".", `firefox-trace-${width}.png`)) });
  report("trace", { width });

  await (await found(page, ".account-button"))?.click();
  await click(page, "Sign out");
  await found(page, "dialog[open] input[name=token]");
  report("signed out", { width });
  await context.close();
  assert.deepEqual(problems, [], `unexpected at ${width} px`);
}

const browser = await launch(executablePath);
try {
  for (const size of SIZES) await visit(browser, size);
} finally {
  await browser.close();
}
