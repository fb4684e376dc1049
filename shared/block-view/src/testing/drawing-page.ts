import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

const packageFolder = join(import.meta.dirname, '../..');
const site = 'http://block-view.test';
const types: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript' };

/** The strictest policy that a page may have: no inline script or style, no text that becomes markup. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const html = '<!doctype html><link rel="stylesheet" href="/styles/block-view.css"><main id="root"></main>';

/** A page that has loaded the package as it is built, and collects what goes wrong in it. */
export interface DrawingPage {
  readonly page: Page;
  /** Errors of the page and breaches of its policy. */
  readonly complaints: string[];
  /** Draws one thing in the page: a call of an exported function, written as an expression. */
  draw(call: string): Promise<void>;
}

/** Opens a page that serves the built package under a strict policy. */
export async function openDrawingPage(browser: Browser): Promise<DrawingPage> {
  const files = new Set(globSync('{dist,styles}/**/*.{js,css}', { cwd: packageFolder }));
  const page = await browser.newPage({ locale: 'en-GB', timezoneId: 'UTC' });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => {
    // Pictures are not loaded here: the policy allows none.
    if (line.type() === 'error' && !/Loading the image/.test(line.text())) complaints.push(line.text());
  });
  await page.route('**/*', (route) => {
    const { origin, pathname } = new URL(route.request().url());
    const path = pathname.slice(1);
    if (origin !== site) return route.abort();
    if (path === '')
      return route.fulfill({
        contentType: 'text/html',
        body: html,
        headers: { 'content-security-policy': policy },
      });
    if (!files.has(path)) return route.fulfill({ status: 404 });
    const contentType = types[path.split('.').at(-1) ?? ''] ?? 'text/plain';
    return route.fulfill({ contentType, body: readFileSync(join(packageFolder, path), 'utf8') });
  });
  await page.goto(site);
  await page.evaluate(
    "import('/dist/index.js').then((view) => { globalThis.view = view; globalThis.uses = []; })",
  );
  const draw = (call: string) =>
    page.evaluate(`document.getElementById('root').replaceChildren(globalThis.view.${call})`);
  return {
    page,
    complaints,
    async draw(call) {
      await draw(call);
    },
  };
}
