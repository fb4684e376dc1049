import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { launchChromium } from '@stanza/sandbox/testing/chromium';
import { testStack } from '@stanza/test-kit/database';
import type { Browser, Page } from 'playwright-core';
import { root } from '../../docs/markdown.ts';
import { openWorld, type World } from '../../kit/stack.ts';
import { ConsolePage, type Looks } from './console-page.ts';
import { type ConsoleWorld, openConsoleWorld } from './console-world.ts';

const assets = join(root, 'services/console/dist/assets');
const gzipBytes = (file: string): number => {
  const compressed = join(assets, `${file}.gz`);
  return statSync(existsSync(compressed) ? compressed : join(assets, file)).size;
};
const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);

/** The screens of the navigation in its order, and what must be seen on each. */
const screens: readonly (readonly [label: string, seen: (page: Page) => ReturnType<Page['locator']>])[] = [
  ['Templates', (page) => page.getByRole('link', { name: 'Deploy alert' })],
  ['Modals', (page) => page.getByRole('table', { name: 'Modals' })],
  ['Messages', (page) => page.getByRole('table', { name: 'Messages' })],
  ['Queues', (page) => page.getByRole('link', { name: 'Deploy digest' })],
  ['Schedules', (page) => page.getByRole('table', { name: 'Schedules' })],
  ['Destinations', (page) => page.getByRole('link', { name: 'Ticket system' })],
  ['Events', (page) => page.getByRole('heading', { name: 'No event' })],
  ['Connections', (page) => page.getByRole('button', { name: 'Check the connection' })],
  ['Keys', (page) => page.getByRole('table', { name: 'Keys' })],
  ['People', (page) => page.getByRole('cell', { name: 'olivia@acme-rockets.example' })],
  ['Usage', (page) => page.getByRole('table', { name: 'Ledger' })],
  ['Audit log', (page) => page.getByRole('table', { name: 'Changes' })],
  ['Settings', (page) => page.getByRole('button', { name: 'Save your names' })],
];

/** How the walk is shown. */
const looksOfTheWalk: readonly Looks[] = [{ width: 1440, colorScheme: 'light' }];

/** Screens whose pictures the documentation shows. */
const pictured: Readonly<Record<string, string>> = {
  'Messages 1440 light': 'console-messages',
  'Queue 1440 light': 'console-queue',
  'Gallery 1440 light': 'console-gallery',
};
const mostPictureBytes = 400_000;
const pictureOf = (name: string): string => join(root, `docs/images/${name}.png`);

describe('the console in a browser', () => {
  let world: World;
  let browser: Browser;
  let console: ConsoleWorld;

  beforeAll(async () => {
    browser = await launchChromium();
    world = await openWorld();
    console = await openConsoleWorld(world);
  });
  afterAll(async () => {
    await browser.close();
    await console.end();
    await world.close();
  });

  const start = (): string => `${world.api.base}/console/${console.id}/production/templates`;
  const open = async (looks: Looks): Promise<ConsolePage> => {
    const origins = [world.api.base, testStack().identity_url].map((url) => new URL(url).origin);
    const opened = await ConsolePage.open(browser, looks, origins);
    await opened.signInAsOlivia(start());
    return opened;
  };

  /** Keeps a picture for people to look at, and those of the documentation, where that is asked for. */
  const keepPicture = async (page: Page, name: string): Promise<void> => {
    if (process.env.STANZA_SCREENSHOTS !== 'write') return;
    const image = await page.screenshot({ type: 'png', animations: 'disabled' });
    await mkdir(join(root, '.stanza/screens'), { recursive: true });
    await writeFile(join(root, `.stanza/screens/${name}.png`), image);
    const shown = pictured[name];
    if (shown !== undefined) await writeFile(pictureOf(shown), image);
  };

  const expectClean = async (opened: ConsolePage, where: string, looks: Looks): Promise<void> => {
    await keepPicture(opened.page, `${where} ${looks.width} ${looks.colorScheme}`);
    expect({ where, barriers: await opened.barriers(), overflows: await opened.overflows() }).toEqual({
      where,
      barriers: [],
      overflows: false,
    });
    expect({ where, ...opened.complaints }).toEqual({ where, console: [], foreign: [] });
  };

  it('offers three ways to begin where there is no template, and loads little for it', async () => {
    const looks: Looks = { width: 1440, colorScheme: 'light' };
    const loaded = new Set<string>();
    const opened = await open(looks);
    opened.page.on('response', (response) => {
      if (/\/assets\/.*\.js$/.test(response.url())) loaded.add(basename(response.url()));
    });
    await opened.page.reload();
    await opened.page.getByRole('heading', { name: 'No template yet' }).waitFor();
    for (const name of ['New template', 'Gallery', 'Blank', 'Paste JSON']) {
      expect(await opened.page.getByRole('button', { name, exact: true }).count()).toBe(1);
    }
    await expectClean(opened, 'No template', looks);
    expect(loaded.size).toBeGreaterThan(2);
    expect(sum([...loaded].map(gzipBytes))).toBeLessThan(150 * 1024);

    await opened.page.getByRole('button', { name: 'Gallery' }).click();
    await opened.page.getByRole('button', { name: 'Use Deploy alert' }).waitFor();
    await expectClean(opened, 'Gallery', looks);
    await opened.page.getByRole('searchbox', { name: 'Search' }).last().fill('invoice');
    await opened.page.getByRole('button', { name: 'Use Invoice' }).waitFor();
    expect(await opened.page.getByRole('button', { name: /^Use / }).count()).toBeLessThan(4);
    await opened.close();
  });

  it('has files of 600 KB at most in all', () => {
    const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'));
    expect(sum(scripts.map(gzipBytes))).toBeLessThan(600 * 1024);
  });

  describe.each(looksOfTheWalk)('at $width px, $colorScheme', (looks) => {
    let opened: ConsolePage;
    let page: Page;

    beforeAll(async () => {
      if (looks.width === 1440 && looks.colorScheme === 'light') await console.fill();
      opened = await open(looks);
      page = opened.page;
    });
    afterAll(() => opened.close());

    const goTo = async (label: string): Promise<void> => {
      const menu = page.getByRole('button', { name: 'Menu' });
      if (await menu.isVisible()) await menu.click();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: label }).click();
      await page.getByRole('heading', { level: 1, name: label }).waitFor();
    };

    it('shows every screen, clean', async () => {
      for (const [label, seen] of screens) {
        await goTo(label);
        await seen(page).first().waitFor();
        await expectClean(opened, label, looks);
      }
    });

    it('shows one message, queue, schedule, destination and modal, clean', async () => {
      const details = [
        ['Messages', 'Message', page.getByRole('table', { name: 'Attempts' })],
        ['Queues', 'Queue', page.getByRole('button', { name: 'Flush' })],
        ['Schedules', 'Schedule', page.getByRole('heading', { name: 'Next runs' })],
        ['Destinations', 'Destination', page.getByRole('button', { name: 'Send a test' })],
        ['Modals', 'Modal', page.getByRole('table', { name: 'Versions' })],
        ['Templates', 'Template', page.getByRole('heading', { level: 1, name: 'Deploy alert' })],
      ] as const;
      for (const [list, one, seen] of details) {
        await goTo(list);
        const rows = page.getByRole('table', { name: list }).getByRole('link');
        await (list === 'Templates' ? rows.filter({ hasText: 'Deploy alert' }) : rows).first().click();
        await seen.first().waitFor();
        await expectClean(opened, one, looks);
      }
    });
  });

  it('shows a new key once, and lets it be revoked', async () => {
    const looks: Looks = { width: 1440, colorScheme: 'light' };
    const opened = await open(looks);
    const { page } = opened;
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Deploy pipeline');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: 'The key, shown once' }).waitFor();
    const shown = await page
      .getByRole('dialog')
      .getByText(/stz_live_/)
      .innerText();
    await expectClean(opened, 'New key', looks);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const key = shown.replace(/^.*?(?=stz_live_)/s, '');
    expect((await world.api.with(key).get('/v1/templates')).status).toBe(200);

    const row = page.getByRole('row', { name: /Deploy pipeline/ });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('revoked').waitFor();
    expect((await world.api.with(key).get('/v1/templates')).status).toBe(401);
    await opened.close();
  });

  it('is drawn in the documentation', async () => {
    for (const name of Object.values(pictured)) {
      const image = await readFile(pictureOf(name));
      expect(image.subarray(0, 8)).toEqual(Buffer.from('89504e470d0a1a0a', 'hex'));
      expect(image.length).toBeLessThan(mostPictureBytes);
    }
  });
});
