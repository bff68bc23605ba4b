/**
 * Signs in at an identity provider in Firefox by WebDriver BiDi, chats, opens the account, goes on after the access token has
 * expired, and signs out. Prints the steps as JSON lines; exits with 1 after a failed step, an exception or a policy violation.
 *
 *     node sign_in.mjs FIREFOX URL PROVIDER EXPIRED FOLDER     EXPIRED is an expired token of the person
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { click, found, launch, openPage, report, send, STEP_MS, until } from "./page.mjs";

const [, , executablePath, url = "", provider = "", expired = "", folder = "."] = process.argv;
const SIZE = { width: 1280, height: 800 };
const QUESTION = "What is 15% of 45?";

const browser = await launch(executablePath);
try {
  const { page, problems } = await openPage(browser, SIZE);
  await page.goto(new URL("chat", `${url}/`).href, { timeout: STEP_MS });
  await found(page, "dialog[open]");
  await click(page, `Sign in with ${provider}`);
  await found(page, ".account-button");
  report("signed in", {});

  await send(page, QUESTION);
  await until(page, (wanted) => document.body.innerText.includes(wanted), "6.75");
  await found(page, ".chat-turn .outcome[data-tone=good]");
  report("answered", {});

  await (await found(page, ".account-button"))?.click();
  await found(page, "#account dl");
  await page.screenshot({ path: /** @type {`${string}.png`} */ (join(folder, "firefox-people-account.png")) });
  report("account", { text: await page.$eval("#account", (menu) => /** @type {HTMLElement} */ (menu).innerText) });

  await page.evaluate((token) => {
    const grant = JSON.parse(sessionStorage.getItem("flexchat.grant") ?? "{}");
    sessionStorage.setItem("flexchat.grant", JSON.stringify({ ...grant, issued: 0 }));
    sessionStorage.setItem("flexchat.token", token);
  }, expired);
  await page.reload({ timeout: STEP_MS });
  await until(page, (token) => ![token, null].includes(sessionStorage.getItem("flexchat.token")), expired);
  await found(page, ".account-button");
  report("renewed", {});

  await (await found(page, ".account-button"))?.click();
  await click(page, "Sign out");
  await until(page, (wanted) => document.querySelector("dialog[open]")?.textContent?.includes(wanted), provider);
  assert.equal(await page.evaluate(() => sessionStorage.getItem("flexchat.token")), null);
  report("signed out", {});
  assert.deepEqual(problems, []);
} finally {
  await browser.close();
}
