import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { documentation } from '@stanza/gateway/documentation';
import { launchChromium } from '@stanza/sandbox/testing/chromium';
import express from 'express';
import type { Browser } from 'playwright-core';
import { ConsolePage, type Looks } from '../browser/console/console-page.ts';
import { root } from '../docs/markdown.ts';

const run = promisify(execFile);

/** A page of each make: tables, code, pictures, drawings, reference. */
const shown = ['', 'first-message', 'errors', 'recipes', 'gallery', 'api/templates', 'configuration'];

const looks: Looks[] = [
  { width: 1280, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
];

describe('the documentation as a site', () => {
  let server: Server;
  let browser: Browser;
  let origin: string;

  beforeAll(async () => {
    // The generator ends with an error where a link leads nowhere.
    await run(process.execPath, ['--conditions=@stanza/source', join(root, 'docs/site/build/main.ts')]);
    server = express().use('/docs', documentation()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${Object(server.address()).port}`;
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  it.each(looks)('has no barrier at %o, asks nobody else, and keeps to its content policy', async (look) => {
    const opened = await ConsolePage.open(browser, look, [origin]);
    const found: [string, string[], boolean][] = [];
    for (const path of shown) {
      await opened.page.goto(`${origin}/docs/${path}`, { waitUntil: 'networkidle' });
      found.push([path, await opened.barriers(), await opened.overflows()]);
    }
    expect(found).toEqual(shown.map((path) => [path, [], false]));
    expect(opened.complaints).toEqual({ console: [], foreign: [] });
    await opened.close();
  });

  it('draws the messages of the gallery, and finds a word on every page', async () => {
    const opened = await ConsolePage.open(browser, { width: 1280, colorScheme: 'light' }, [origin]);
    const { page, complaints } = opened;
    await page.goto(`${origin}/docs/gallery#deploy-alert`);
    await page.locator('.drawn-exhibit .block-view').first().waitFor();
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('idempotency_conflict');
    await page.getByRole('option').filter({ hasText: 'Error codes' }).first().click();
    await page.waitForURL(/\/docs\/errors/);
    expect(complaints).toEqual({ console: [], foreign: [] });
    await opened.close();
  });
});
