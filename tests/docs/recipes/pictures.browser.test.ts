import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { launchChromium } from '@stanza/sandbox/testing/chromium';
import type { Browser, Page } from 'playwright-core';
import { withPalette } from '../../kit/palette-png.ts';
import { root } from '../markdown.ts';
import { recipes } from './list.ts';
import { readRecipe, recipeTime } from './recipes.ts';

const folder = join(root, 'docs/images/recipes');
/** What is drawn on each picture; fonts change its pixels from machine to machine, not its words. */
const words = join(folder, 'words.json');

const site = 'http://recipes.test';
const blockView = join(root, 'shared/block-view');
const html = '<!doctype html><link rel="stylesheet" href="/styles/block-view.css"><main id="root"></main>';
const types: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript' };

/** Pixels across. */
const width = 476;
const maxBytes = 15_000;
const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

const isWriting = process.env.STANZA_SCREENSHOTS === 'write';

const names = { U0ADA: 'Ada Lovelace', U0GRACE: 'Grace Hopper', C0DEPLOYS: 'deploys' };

/** A page that has loaded the drawing of blocks as it is built. */
const openPage = async (browser: Browser): Promise<Page> => {
  const files = new Set(globSync('{dist,styles}/**/*.{js,css}', { cwd: blockView }));
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: 'light' });
  await page.route('**/*', async (route) => {
    const { origin, pathname } = new URL(route.request().url());
    const path = pathname.slice(1);
    if (origin !== site) return route.abort();
    if (path === '') return route.fulfill({ contentType: 'text/html', body: html });
    if (!files.has(path)) return route.fulfill({ status: 404 });
    const contentType = types[path.split('.').at(-1) ?? ''] ?? 'text/plain';
    return route.fulfill({ contentType, body: await readFile(join(blockView, path), 'utf8') });
  });
  await page.goto(site);
  await page.addStyleTag({ content: 'body { margin: 0 } .message { box-shadow: none !important }' });
  await page.evaluate("import('/dist/index.js').then((view) => { globalThis.view = view; })");
  return page;
};

describe('the picture of a recipe', () => {
  let browser: Browser;
  let page: Page;
  const seen: Record<string, string> = {};
  beforeAll(async () => {
    browser = await launchChromium();
    page = await openPage(browser);
  });
  afterAll(async () => {
    if (isWriting) await writeFile(words, `${JSON.stringify(seen, null, 2)}\n`);
    await browser.close();
  });

  /** A reader in New York sees the message. */
  const draw = (slug: string): Promise<void> => {
    const { blocks, text } = readRecipe(slug).expected ?? {};
    const message = JSON.stringify({ blocks, text, username: 'Stanza' });
    const context = `{ names: ${JSON.stringify(names)}, locale: 'en-GB', timeZone: 'America/New_York',
      now: () => new Date(${recipeTime.getTime()}) }`;
    return page.evaluate(
      `document.getElementById('root').replaceChildren(view.drawMessage(${message}, ${context}))`,
    );
  };

  it.each(recipes.map(({ slug }) => slug))('shows what it compiles to: %s', async (slug) => {
    await draw(slug);
    const message = page.locator('.block-view');
    const drawn = await message.innerText();
    const image = await message.screenshot({ type: 'png', animations: 'disabled' });
    seen[slug] = drawn;
    const picture = join(folder, `${slug}.png`);
    if (isWriting) await writeFile(picture, withPalette(image));
    else expect(drawn).toBe(JSON.parse(await readFile(words, 'utf8'))[slug]);
    const kept = await readFile(picture);
    for (const made of [image, kept]) {
      expect(made.subarray(0, 8)).toEqual(pngSignature);
      expect(made.readUInt32BE(16)).toBe(width);
    }
    // How large a fresh one is depends on the fonts of the machine.
    expect(kept.length).toBeLessThan(maxBytes);
  });

  it('is there for every recipe, and no other is', () => {
    expect(globSync('*.png', { cwd: folder }).sort()).toEqual(
      recipes.map(({ slug }) => `${slug}.png`).sort(),
    );
  });
});
