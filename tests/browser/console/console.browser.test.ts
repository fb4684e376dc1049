import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { launchChromium } from '@stanza/sandbox/testing/chromium';
import { testStack } from '@stanza/test-kit/database';
import type { Browser, Page } from 'playwright-core';
import { root } from '../../docs/markdown.ts';
import { withPalette } from '../../kit/palette-png.ts';
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
  ['Events', (page) => page.getByRole('heading', { name: 'No subscription' })],
  ['Connections', (page) => page.getByRole('button', { name: 'Check the connection' })],
  ['Keys', (page) => page.getByRole('table', { name: 'Keys' })],
  ['People', (page) => page.getByRole('cell', { name: 'olivia@acme-rockets.example' })],
  ['Usage', (page) => page.getByRole('table', { name: 'Ledger' })],
  ['Audit log', (page) => page.getByRole('table', { name: 'Changes' })],
  ['Settings', (page) => page.getByRole('button', { name: 'Save your names' })],
];

/** How a page is shown where nothing else is said. */
const wide: Looks = { width: 1440, colorScheme: 'light' };

/** How each screen is shown, one after the other: each theme and each width once. */
const looksOfTheWalk: readonly Looks[] = [
  { width: 1440, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
];

/** A tablet: looked at for order alone, since its parts are those of the others. */
const between: Looks = { width: 768, colorScheme: 'light' };

/** Whether pictures are kept for people to look at, and how each screen is shown and looked at in them besides. */
const keepsPictures = process.env.STANZA_SCREENSHOTS === 'write';
const otherLooks: readonly Looks[] = [
  { width: 1920, colorScheme: 'light' },
  { width: 1920, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'dark' },
  { width: 768, colorScheme: 'light' },
  { width: 768, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
];

/** Screens whose pictures the documentation shows. */
const pictured: Readonly<Record<string, string>> = {
  'Messages 1440 light': 'console-messages',
};
const maxPictureBytes = 400_000;
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
  const keepPicture = async (opened: ConsolePage, name: string): Promise<void> => {
    const image = await opened.keepPicture(name);
    const shown = pictured[name];
    if (image && shown !== undefined) await writeFile(pictureOf(shown), withPalette(image));
  };

  const expectClean = async (opened: ConsolePage, where: string, looks: Looks): Promise<void> => {
    await keepPicture(opened, `${where} ${looks.width} ${looks.colorScheme}`);
    expect({ where, barriers: await opened.barriers(), overflows: await opened.overflows() }).toEqual({
      where,
      barriers: [],
      overflows: false,
    });
    expect({ where, ...opened.complaints }).toEqual({ where, console: [], foreign: [] });
  };

  it('offers three ways to begin where there is no template, and loads little for it', async () => {
    const looks = wide;
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

  describe('in both themes, wide and narrow', () => {
    let opened: ConsolePage;
    let page: Page;

    beforeAll(async () => {
      await console.fill();
      opened = await open(wide);
      page = opened.page;
    });
    afterAll(() => opened.close());

    const goTo = async (label: string): Promise<void> => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: label }).click();
      await page.getByRole('heading', { level: 1, name: label }).waitFor();
    };
    const expectCleanInAllLooks = async (where: string): Promise<void> => {
      try {
        for (const looks of [...looksOfTheWalk, ...(keepsPictures ? otherLooks : [])]) {
          await opened.look(looks);
          await expectClean(opened, where, looks);
        }
        await opened.look(between);
        expect({ where, disorder: await opened.disorder(), overflows: await opened.overflows() }).toEqual({
          where,
          disorder: [],
          overflows: false,
        });
      } finally {
        // What comes next finds the navigation of a wide screen.
        await opened.look(wide);
      }
    };

    it('shows every screen without a finding of axe', async () => {
      for (const [label, seen] of screens) {
        await goTo(label);
        await seen(page).first().waitFor();
        expect(await page.locator('#content a[href^="/docs/"]').count()).toBe(1);
        await expectCleanInAllLooks(label);
      }
    });

    it('shows one message, queue, schedule, destination, modal and template without a finding of axe', async () => {
      const details = [
        ['Messages', 'Message', page.getByRole('table', { name: 'Calls' })],
        ['Queues', 'Queue', page.getByRole('button', { name: 'Send now' })],
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
        await expectCleanInAllLooks(one);
      }
    });

    it('leads everywhere on a narrow screen by its menu', async () => {
      await goTo('Templates');
      await opened.look({ width: 360, colorScheme: 'light' });
      await page.getByRole('button', { name: 'Menu' }).click();
      await expectClean(opened, 'Menu', { width: 360, colorScheme: 'light' });
      await goTo('Queues');
      expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
      await opened.look(wide);
    });

    it('finds screens, templates, destinations and what the screen does by a few letters', async () => {
      const field = page.getByRole('combobox', { name: 'Search commands and templates' });
      await goTo('Queues');
      await page.keyboard.press('Control+k');
      await field.fill('deploy');
      await page.getByRole('option', { name: 'Deploy alert' }).waitFor();
      await expectCleanInAllLooks('Palette');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Deploy alert' }).waitFor();
      await page.keyboard.press('Control+k');
      await field.fill('queues');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Queues' }).waitFor();
      await page.keyboard.press('Control+k');
      await field.fill('ticket sys');
      await page.getByRole('option', { name: 'Ticket system' }).click();
      await page.getByRole('heading', { level: 1, name: 'Ticket system' }).waitFor();
      await goTo('Queues');
      await page.keyboard.press('Control+k');
      // What is typed need not be what a key can be.
      const searched = page.waitForResponse((response) => /search\/templates\?.*new/.test(response.url()));
      await field.fill('new queue');
      expect((await searched).status()).toBe(200);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'New queue' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      expect(opened.complaints).toEqual({ console: [], foreign: [] });
    });

    it('tells a destination of events, until that is switched off and deleted', async () => {
      await goTo('Events');
      await page.getByRole('button', { name: 'New subscription' }).click();
      await expectCleanInAllLooks('New subscription');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('checkbox', { name: /^message\.sent/ }).check();
      await dialog.getByRole('button', { name: 'Subscribe' }).click();
      const row = page.getByRole('row', { name: /Ticket system/ });
      await row.getByText('message.sent, message.failed, message.unknown').waitFor();
      await console.send();
      await page.getByRole('button', { name: 'Change' }).click();
      await dialog.getByRole('checkbox', { name: /^message\.unknown/ }).uncheck();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await row.getByText('message.sent, message.failed', { exact: true }).waitFor();
      await page.reload();
      const events = page.getByRole('table', { name: 'Recent events' });
      const type = page.getByRole('combobox', { name: 'Event', exact: true });
      await type.selectOption('message.failed');
      await page.getByRole('heading', { name: 'Nothing was recorded' }).waitFor();
      await type.selectOption('message.sent');
      await events.getByRole('button', { name: /^message\.sent, \d/ }).click();
      await dialog.getByRole('region', { name: 'The event, as it is delivered' }).waitFor();
      await page.keyboard.press('Escape');
      await row.getByRole('button', { name: 'Switch off' }).click();
      await row.getByText('off', { exact: true }).waitFor();
      await row.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { name: 'No subscription' }).waitFor();
    });

    it('changes the policies of the organization', async () => {
      await goTo('Settings');
      // Nothing covers what follows a form on the page.
      await page.getByText('For programs').click({ position: { x: 4, y: 2 } });
      const guard = page.getByRole('checkbox', { name: /stored data would break/ });
      expect(await guard.isChecked()).toBe(false);
      await guard.click();
      await page.getByRole('checkbox', { name: /stored data would break/, checked: true }).waitFor();
      await page.getByRole('status').getByText('The policies are saved.').waitFor();
      const answered = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await page.getByRole('combobox', { name: 'Who makes a version live' }).selectOption('person');
      await answered;
      await page.reload();
      await page.getByRole('checkbox', { name: /stored data would break/, checked: true }).waitFor();
      expect(await console.read()).toMatchObject({ guard_activation: true, activation: 'person' });
    });
  });

  it('shows a new key once, and lets it be revoked', async () => {
    const opened = await open(wide);
    const { page } = opened;
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Deploy pipeline');
    const purpose = page.getByLabel('What it is for');
    expect(await purpose.inputValue()).toBe('Send messages');
    // Its hint is no part of its name.
    const reads = page.getByRole('checkbox', { name: 'templates:read', exact: true });
    expect(await reads.isChecked()).toBe(false);
    await purpose.selectOption('Read alone');
    expect(await page.getByRole('checkbox', { name: /^usage:read/ }).isChecked()).toBe(true);
    expect(await page.getByRole('checkbox', { name: /^messages:create/ }).isChecked()).toBe(false);
    const create = page.getByRole('dialog').getByRole('button', { name: 'Create key' });
    // A day that is over is said at its field.
    const ends = page.getByLabel('Ends after');
    await ends.fill('2020-01-01');
    await create.click();
    await ends.and(page.locator(':invalid:focus')).waitFor();
    await ends.fill('');
    await create.click();
    await page.getByRole('heading', { name: 'The key, shown once' }).waitFor();
    const shown = await page
      .getByRole('dialog')
      .getByText(/stz_live_/)
      .innerText();
    await expectClean(opened, 'New key', wide);
    // What is shown once is not lost by a slip.
    for (const key of ['Escape', 'Escape']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const key = shown.replace(/^.*?(?=stz_live_)/s, '');
    expect((await world.api.with(key).get('/v1/templates')).status).toBe(200);

    const row = page.getByRole('row', { name: /Deploy pipeline/ });
    await row.getByRole('button', { name: 'Revoke Deploy pipeline', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('revoked').waitFor();
    expect((await world.api.with(key).get('/v1/templates')).status).toBe(401);
    await opened.close();
  });

  it('is drawn in the documentation', async () => {
    for (const name of Object.values(pictured)) {
      const image = await readFile(pictureOf(name));
      expect(image.subarray(0, 8)).toEqual(Buffer.from('89504e470d0a1a0a', 'hex'));
      expect(image.length).toBeLessThan(maxPictureBytes);
    }
  });
});
