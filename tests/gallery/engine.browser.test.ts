import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileExhibit } from '@stanza/gallery/compile';
import { exhibits } from '@stanza/gallery/exhibits';
import { launchChromium } from '@stanza/sandbox/testing/chromium';
import type { Browser, Page } from 'playwright-core';

const root = join(import.meta.dirname, '../..');
const site = 'http://engine.test';

/** The page loads the engine as it is built, module by module; a bundler has nothing to add. */
const html = `<!doctype html><script type="importmap">${JSON.stringify({
  imports: {
    '@stanza/engine': '/shared/engine/dist/index.js',
    'fastest-levenshtein': '/node_modules/fastest-levenshtein/esm/mod.js',
  },
})}</script>`;

/** A module of this checkout as a page takes it. */
const moduleAt = (path: string): string => {
  const source = readFileSync(join(root, path), 'utf8');
  return path.endsWith('.ts') ? stripTypeScriptTypes(source) : source;
};

let browser: Browser;
let page: Page;
const loaded: string[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  browser = await launchChromium();
  page = await browser.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.route(`${site}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: html });
    loaded.push(pathname);
    return route.fulfill({ contentType: 'text/javascript', body: moduleAt(pathname) });
  });
  await page.goto(site);
  await page.evaluate(`import('/shared/gallery/compile.ts').then(({ compileExhibit }) => {
    globalThis.compileExhibit = compileExhibit;
  })`);
});
afterAll(() => browser.close());

describe('the engine in a page', () => {
  it.each(exhibits.map((exhibit) => [exhibit.slug, exhibit] as const))(
    'compiles a template of the gallery as the server does: %s',
    async (_, exhibit) => {
      const outcome = await page.evaluate(`compileExhibit(${JSON.stringify(exhibit)})`);
      expect(outcome).toEqual(compileExhibit(exhibit));
      expect(outcome).toMatchObject({ output: exhibit.expected });
    },
  );

  it('loads the engine itself, one dependency and nothing else', () => {
    const engine = loaded.filter((path) => path.startsWith('/shared/engine/dist/'));
    expect(engine.length).toBeGreaterThan(50);
    expect(loaded.filter((path) => !engine.includes(path))).toEqual([
      '/shared/gallery/compile.ts',
      '/node_modules/fastest-levenshtein/esm/mod.js',
    ]);
    expect(complaints).toEqual([]);
  });
});
