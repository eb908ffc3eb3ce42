// What a reader does with the page of `citecheck coverage --format html`, and what is to be seen then. Run by
// coverage-html.sh, from a folder with playwright-core and axe-core.
//
// usage: node coverage-html.mjs CHROMIUM FOLDER PICTURES

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";

import { chromium } from "playwright-core";

const [executablePath, folder, pictures] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const report = (name) => JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));

// A page that was opened; nothing but its file may be asked for, and it may complain about nothing.
async function open(name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.on("request", (request) => assert.match(request.url(), /^file:/, "something was loaded"));
  page.on("console", (message) => assert.fail(`the page says: ${message.text()}`));
  page.on("pageerror", (error) => assert.fail(`the script fails: ${error}`));
  await page.goto(`file://${folder}/${name}.html`);
  return page;
}

const tree = "#tree li[data-counts]";
const visible = (page, selector) => page.locator(selector).evaluateAll((items) =>
  items.filter((item) => item.checkVisibility()).length);
const own = (page) => page.locator(tree).evaluateAll((items) =>
  items.filter((item) => !item.hidden && !item.classList.contains("context-only") && item.checkVisibility()).length);
const shown = (page, list = "tree") => page.locator(`form[data-list=${list}] .shown`).textContent();
const settle = (page) => page.waitForTimeout(250);

async function filters() {
  const { sections: counts, cases } = report("example").summary;
  const page = await open("example");
  assert.equal(await page.title(), `Coverage of the manual, ${await page.locator("footer").textContent().then((it) => it.split(", ").slice(1).join(", "))}`);
  assert.equal(await shown(page), `${counts.total} of ${counts.total} shown`);
  assert.equal(await own(page), counts.total);
  assert.equal(await page.locator(".figures dd").first().textContent(), `${counts.functional_percent} %`);

  const state = (name) => page.locator(`form[data-list=tree] input[value=${name}]`);
  for (const name of ["covered", "stale", "partial", "uncovered"]) {
    for (const other of ["covered", "stale", "partial", "uncovered"]) await state(other).setChecked(other === name);
    await settle(page);
    assert.equal(await shown(page), `${counts[name]} of ${counts.total} shown`, name);
    assert.equal(await own(page), counts[name], name);
  }
  await page.locator("form[data-list=tree] button[type=reset]").click();
  await page.locator("form[data-list=tree] [name=backlog]").check();
  await settle(page);
  assert.equal(await own(page), counts.backlog, "to review");
  await page.locator("form[data-list=tree] button[type=reset]").click();
  await settle(page);
  assert.equal(await own(page), counts.total, "reset");

  const search = page.locator("form[data-list=tree] [name=text]");
  await search.fill("RATIONALE safety");
  await settle(page);
  const titles = await page.locator(tree).evaluateAll((items) =>
    items.filter((item) => item.checkVisibility() && !item.classList.contains("context-only"))
      .map((item) => item.querySelector(".name").textContent));
  assert.deepEqual(new Set(titles), new Set(["Rationale"]));
  assert.equal(await page.locator("#tree details.file").evaluateAll((files) => files.filter((file) => !file.hidden).length), 1);
  await search.fill("TC-D1");
  await settle(page);
  assert.equal(await own(page), 1, "a section is found by its case");
  await search.fill("no such thing");
  await settle(page);
  assert.equal(await shown(page), `0 of ${counts.total} shown`);
  await search.press("Escape");
  await search.fill("");
  await settle(page);
  assert.equal(await own(page), counts.total);

  const list = page.locator("form[data-list=list]");
  await list.locator("[name=text]").fill("tc-e1");
  await settle(page);
  assert.equal(await shown(page, "list"), `1 of ${cases.total} shown`);
  assert.equal(await page.locator("#list > li:not([hidden])").count(), 1);
  assert.equal(await page.title().then((it) => it.includes("hit")), false, "a title ran as a script");
  await page.context().close();
}

async function folds() {
  const page = await open("example");
  const before = await visible(page, tree);
  const file = page.locator("details.file").first();
  await file.locator("> summary").click();
  assert.equal(await file.evaluate((it) => it.open), false);
  assert.ok(await visible(page, tree) < before, "a folded file hides its sections");
  // A filter unfolds what it finds, and without it the file is folded again.
  await page.locator("form[data-list=tree] [name=text]").fill("mounting");
  await settle(page);
  assert.equal(await file.evaluate((it) => it.open), true);
  await page.locator("form[data-list=tree] [name=text]").fill("");
  await settle(page);
  assert.equal(await file.evaluate((it) => it.open), false);
  await page.locator("button[name=unfold]").click();
  assert.equal(await visible(page, tree), before);
  await page.locator("button[name=fold]").click();
  assert.equal(await visible(page, tree), 0);
  // A link leads into a fold.
  const link = page.locator("#list a").first();
  const target = await link.getAttribute("href");
  await link.click();
  await settle(page);
  assert.ok(await page.locator(target).evaluate((it) => it.checkVisibility()), `${target} stays folded`);
  // Texts are folded until they are asked for.
  await page.locator("button[name=unfold]").click();
  const texts = page.locator("details.texts").filter({ has: page.locator("ins") }).first();
  assert.equal(await texts.locator("ins").first().isVisible(), false);
  await texts.locator("summary").click();
  assert.equal(await texts.locator("ins").first().isVisible(), true);
  assert.ok(await texts.locator("del").count() > 0);
  await page.screenshot({ path: `${pictures}/texts.png` });
  await page.context().close();
}

async function keyboard() {
  const page = await open("example");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.keyboard.press("Enter");
  const summary = page.locator("details.file > summary").first();
  await summary.focus();
  await page.keyboard.press("Space");
  assert.equal(await page.locator("details.file").first().evaluate((it) => it.open), false);
  await page.context().close();
}

// Headings, landmarks, labels, contrast and the like, in light and dark, as axe sees them.
async function accessibility() {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open("example", { colorScheme });
    await page.locator("details.texts").evaluateAll((all) => all.slice(0, 3).forEach((it) => { it.open = true; }));
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
    const told = found.violations.map((it) => `${it.id}: ${it.help}: ${it.nodes.slice(0, 3).map((node) => node.html).join(" ")}`);
    assert.deepEqual(told, [], colorScheme);
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(paper, colorScheme === "dark" ? "rgb(20, 24, 30)" : "rgb(255, 255, 255)");
    await page.screenshot({ path: `${pictures}/${colorScheme}.png`, fullPage: true });
    await page.context().close();
  }
}

async function narrow() {
  const page = await open("example", { viewport: { width: 360, height: 780 } });
  await page.locator("details.texts").evaluateAll((all) => all.slice(0, 3).forEach((it) => { it.open = true; }));
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `the page is ${width} wide`);
  await page.screenshot({ path: `${pictures}/narrow.png`, fullPage: true });
  await page.context().close();
}

async function withoutScript() {
  const page = await open("example", { javaScriptEnabled: false });
  assert.equal(await page.locator("form.filter").first().isVisible(), false, "what does nothing is not shown");
  assert.ok(await page.locator("#tree li[data-counts] .name").first().isVisible());
  await page.context().close();
}

async function paper() {
  const page = await open("example");
  await page.locator("button[name=fold]").click();
  await page.pdf({ path: `${pictures}/paper.pdf`, preferCSSPageSize: true });
  let text;
  try {
    text = execFileSync("pdftotext", ["-layout", `${pictures}/paper.pdf`, "-"], { encoding: "utf8" });
  } catch {
    console.log("skipped: there is no pdftotext to read the paper with");
  }
  if (text !== undefined) {
    // What was folded is unfolded, the controls are gone, and each case has what it was reviewed against.
    const { fingerprint } = report("example").cases[0].citations[0].reviewed;
    for (const part of ["Mounting", "Before", "Now", "Cases and their sections", fingerprint]) {
      assert.ok(text.includes(part), `${part} is not on paper`);
    }
    assert.ok(!text.includes("Unfold all"), "controls are on paper");
  }
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("form.filter").first().isVisible(), false);
  assert.equal(await page.locator("nav").isVisible(), false);
  await page.context().close();
}

async function large() {
  const { sections } = report("large").summary;
  const start = Date.now();
  const page = await open("large");
  const loaded = Date.now() - start;
  assert.equal(await shown(page), `${sections.total.toLocaleString("en")} of ${sections.total.toLocaleString("en")} shown`);
  const time = async (act, expected) => {
    const from = Date.now();
    await act();
    await page.waitForFunction((text) => document.querySelector("form[data-list=tree] .shown").textContent === text, expected);
    // Until it is drawn.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))));
    return Date.now() - from;
  };
  const total = sections.total.toLocaleString("en");
  const search = page.locator("form[data-list=tree] [name=text]");
  const found = await time(() => search.fill("tc-7-20"), `1 of ${total} shown`);
  const reset = await time(() => search.fill(""), `${total} of ${total} shown`);
  const unfold = Date.now();
  await page.locator("button[name=unfold]").click();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))));
  const unfolded = Date.now() - unfold;
  const stale = await time(() => page.locator("form[data-list=tree] input[value=uncovered]").uncheck(),
    `${(sections.total - sections.uncovered).toLocaleString("en")} of ${total} shown`);
  const size = (statSync(`${folder}/large.html`).size / 1e6).toFixed(1);
  console.log(`${total} sections, ${size} MB: loaded in ${loaded} ms, searched in ${found} ms, reset in ${reset} ms, `
    + `unfolded in ${unfolded} ms, filtered in ${stale} ms`);
  for (const took of [loaded, found, reset, unfolded, stale]) assert.ok(took < 10_000, `${took} ms`);
  await page.context().close();
}

try {
  for (const part of [filters, folds, keyboard, accessibility, narrow, withoutScript, paper, large]) {
    await part();
    console.log(`${part.name} ok`);
  }
} finally {
  await browser.close();
}
